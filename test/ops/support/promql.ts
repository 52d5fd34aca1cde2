/**
 * Evaluates the part of PromQL that ops/alerts.yml uses, over given samples. Prometheus's own grammar parses it;
 * unsupported syntax throws, so a rule that needs more fails loudly instead of being skipped.
 *
 * It differs from Prometheus in one place: `rate` and `increase` extrapolate to the whole window, without special
 * treatment of a series that begins within it.
 */
import { parser } from '@prometheus-io/lezer-promql';
import type { SyntaxNode } from '@lezer/common';
import { binary, labelKey, pick, without, type Labels, type Sample, type Series, type Value } from './promqlVectors.ts';

interface Context {
  text: string;
  series: readonly Series[];
  /** Seconds. */
  at: number;
}

/** Prometheus uses the last sample of the preceding five minutes. */
const LOOKBACK_S = 300;

/** @returns a number, or the samples of an instant vector */
export function evaluate(expression: string, series: readonly Series[], at: number): Value {
  const tree = parser.parse(expression);
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${expression}`);
    },
  });
  return valueOf(only(tree.topNode), { text: expression, series, at });
}

const EVALUATORS: Record<string, (node: SyntaxNode, context: Context) => Value> = {
  NumberDurationLiteral: (node, context) => Number(textOf(node, context)),
  ParenExpr: (node, context) => valueOf(only(node), context),
  VectorSelector: (node, context) =>
    selected(node, context).flatMap(({ labels, samples }) => {
      const last = samples.findLast(([time]) => time <= context.at);
      return last && last[0] > context.at - LOOKBACK_S ? [{ labels, value: last[1] }] : [];
    }),
  OffsetExpr: (node, context) => {
    const offset = secondsOf(textOf(only(node, 'OffsetDurationExpr'), context));
    return valueOf(only(node), { ...context, at: context.at - offset });
  },
  BinaryExpr: evaluateBinary,
  AggregateExpr: aggregate,
  FunctionCall: call,
};

function valueOf(node: SyntaxNode, context: Context): Value {
  const evaluator = EVALUATORS[node.name];
  if (!evaluator) throw new Error(`${node.name} is not supported: ${textOf(node, context)}`);
  return evaluator(node, context);
}

function vectorOf(node: SyntaxNode, context: Context): Sample[] {
  const value = valueOf(node, context);
  if (typeof value === 'number') throw new Error(`a vector was expected: ${textOf(node, context)}`);
  return value;
}

function evaluateBinary(node: SyntaxNode, context: Context): Value {
  const [left, operator, ...rest] = childrenOf(node);
  const right = rest.at(-1);
  if (!left || !operator || !right) throw new Error(`not supported: ${textOf(node, context)}`);
  const modifier = node.getChild('MatchingModifierClause');
  if (modifier?.getChild('Ignoring') || modifier?.getChild('GroupLeft') || node.getChild('BoolModifier'))
    throw new Error(`not supported: ${textOf(node, context)}`);
  const on = modifier?.getChild('On') ? labelNames(modifier, context) : null;
  return binary(textOf(operator, context).toLowerCase(), valueOf(left, context), valueOf(right, context), on);
}

const AGGREGATES: Record<string, (values: readonly number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  count: (values) => values.length,
};

function aggregate(node: SyntaxNode, context: Context): Value {
  const name = textOf(only(node, 'AggregateOp'), context);
  const combine = AGGREGATES[name];
  if (!combine) throw new Error(`${name} is not supported`);
  const modifier = node.getChild('AggregateModifier');
  const names = modifier ? labelNames(modifier, context) : [];
  const keep = (labels: Labels): Labels =>
    modifier?.getChild('Without') ? without(labels, names) : pick(labels, names);
  const groups = Map.groupBy(vectorOf(only(only(node, 'FunctionCallBody')), context), ({ labels }) =>
    labelKey(keep(labels)),
  );
  return [...groups.values()].map((samples) => ({
    labels: keep(samples[0]?.labels ?? {}),
    value: combine(samples.map(({ value }) => value)),
  }));
}

type Window = readonly (readonly [number, number])[];

/** Functions over the samples of a series in the window; null omits the series. */
const OVER_TIME: Record<string, (window: Window, seconds: number) => number | null> = {
  min_over_time: (window) => AGGREGATES['min']?.(window.map(([, value]) => value)) ?? null,
  max_over_time: (window) => AGGREGATES['max']?.(window.map(([, value]) => value)) ?? null,
  changes: (window) => window.filter(([, value], index) => index > 0 && value !== window[index - 1]?.[1]).length,
  increase: (window, seconds) => increaseOf(window, seconds),
  rate: (window, seconds) => {
    const increase = increaseOf(window, seconds);
    return increase === null ? null : increase / seconds;
  },
};

function increaseOf(window: Window, seconds: number): number | null {
  const [first, last] = [window[0], window.at(-1)];
  if (!first || !last || last[0] === first[0]) return null;
  let rise = 0;
  for (const [index, [, value]] of window.entries()) {
    const before = window[index - 1]?.[1] ?? value;
    rise += value < before ? value : value - before;
  }
  return (rise * seconds) / (last[0] - first[0]);
}

function call(node: SyntaxNode, context: Context): Value {
  const name = textOf(only(node, 'FunctionIdentifier'), context);
  const [first, second] = childrenOf(only(node, 'FunctionCallBody'));
  if (name === 'time') return context.at;
  if (!first) throw new Error(`${name} needs an argument`);
  if (name === 'absent') return absent(first, context);
  if (name === 'histogram_quantile' && second) return quantiles(valueOf(first, context), vectorOf(second, context));
  const overTime = OVER_TIME[name];
  if (!overTime) throw new Error(`${name} is not supported`);
  return overWindow(first, context, overTime);
}

function overWindow(node: SyntaxNode, context: Context, reduce: (window: Window, seconds: number) => number | null) {
  const seconds = secondsOf(textOf(only(node, 'DurationExpr'), context));
  return selected(only(node, 'VectorSelector'), context).flatMap(({ labels, samples }) => {
    const window = samples.filter(([time]) => time > context.at - seconds && time <= context.at);
    const value = window.length === 0 ? null : reduce(window, seconds);
    return value === null ? [] : [{ labels: without(labels, ['__name__']), value }];
  });
}

function absent(node: SyntaxNode, context: Context): Sample[] {
  if (vectorOf(node, context).length > 0) return [];
  const equal =
    node.name === 'VectorSelector' ? matchersOf(node, context).filter(({ operator }) => operator === '=') : [];
  return [{ labels: Object.fromEntries(equal.map(({ label, value }) => [label, value])), value: 1 }];
}

function quantiles(quantile: Value, buckets: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(buckets, ({ labels }) => labelKey(without(labels, ['le'])));
  return [...groups.values()].map((group) => ({
    labels: without(group[0]?.labels ?? {}, ['le']),
    value: quantileOf(Number(quantile), group),
  }));
}

function quantileOf(quantile: number, group: readonly Sample[]): number {
  const buckets = group
    .map(({ labels, value }) => ({ bound: labels['le'] === '+Inf' ? Infinity : Number(labels['le']), value }))
    .sort((a, b) => a.bound - b.bound);
  const rank = quantile * (buckets.at(-1)?.value ?? 0);
  const index = buckets.findIndex(({ value }) => value >= rank);
  const [before, bucket] = [buckets[index - 1] ?? { bound: 0, value: 0 }, buckets[index]];
  if (!bucket || rank === 0) return NaN;
  if (bucket.bound === Infinity) return before.bound;
  return before.bound + ((bucket.bound - before.bound) * (rank - before.value)) / (bucket.value - before.value);
}

interface Matcher {
  label: string;
  operator: string;
  value: string;
}

const MATCHES: Record<string, (found: string, wanted: string) => boolean> = {
  '=': (found, wanted) => found === wanted,
  '!=': (found, wanted) => found !== wanted,
  '=~': (found, wanted) => new RegExp(`^(?:${wanted})$`).test(found),
  '!~': (found, wanted) => !new RegExp(`^(?:${wanted})$`).test(found),
};

function selected(node: SyntaxNode, context: Context): Series[] {
  const name = node.getChild('Identifier');
  const matchers = matchersOf(node, context);
  if (name) matchers.push({ label: '__name__', operator: '=', value: textOf(name, context) });
  return context.series.filter(({ labels }) =>
    matchers.every(({ label, operator, value }) => MATCHES[operator]?.(labels[label] ?? '', value) ?? false),
  );
}

function matchersOf(node: SyntaxNode, context: Context): Matcher[] {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return matchers.map((matcher) => ({
    label: textOf(only(matcher, 'LabelName'), context),
    operator: textOf(only(matcher, 'MatchOp'), context),
    value: textOf(only(matcher, 'StringLiteral'), context).slice(1, -1),
  }));
}

function labelNames(modifier: SyntaxNode, context: Context): string[] {
  return only(modifier, 'GroupingLabels')
    .getChildren('LabelName')
    .map((label) => textOf(label, context));
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** @param duration such as `90s`, `5m`, `1h30m` */
export function secondsOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+)([smhd])/g)];
  if (parts.map(([part]) => part).join('') !== duration) throw new Error(`${duration} is not a duration`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? NaN), 0);
}

function textOf({ from, to }: SyntaxNode, { text }: Context): string {
  return text.slice(from, to).trim();
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** Returns the node's only child, or its only child of that name. */
function only(node: SyntaxNode, name?: string): SyntaxNode {
  const child = name === undefined ? node.firstChild : node.getChild(name);
  if (!child) throw new Error(`${node.name} without ${name ?? 'anything in it'}`);
  return child;
}

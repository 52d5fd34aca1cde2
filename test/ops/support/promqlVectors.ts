/** Instant vectors of PromQL, and binary operations on them, matched by their labels. */

export type Labels = Record<string, string>;

export interface Series {
  labels: Labels;
  /** Time in seconds and value, ordered by time. */
  samples: readonly (readonly [number, number])[];
}

export interface Sample {
  labels: Labels;
  value: number;
}

export type Value = number | Sample[];

export function pick(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));
}

export function without(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)));
}

/** Returns a key that is equal for equal labels. */
export function labelKey(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const ARITHMETIC: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

/** @param on the labels that have to be equal; null: all but the name */
export function binary(operator: string, left: Value, right: Value, on: readonly string[] | null): Value {
  if (typeof left === 'number' && typeof right === 'number') return ofNumbers(operator, left, right);
  if (typeof right === 'number') return (left as Sample[]).flatMap((sample) => combined(operator, sample, right));
  if (typeof left === 'number') throw new Error('a number to the left of a vector is not supported');
  const matched = matching(on);
  if (operator === 'or') return [...left, ...right.filter((sample) => !hasMatch(left, sample, matched))];
  if (operator === 'and') return left.filter((sample) => hasMatch(right, sample, matched));
  if (operator === 'unless') return left.filter((sample) => !hasMatch(right, sample, matched));
  return left.flatMap((sample) => {
    const other = right.find((candidate) => matched(candidate) === matched(sample));
    return other ? combined(operator, sample, other.value) : [];
  });
}

function matching(on: readonly string[] | null): (sample: Sample) => string {
  return ({ labels }) => labelKey(on ? pick(labels, on) : without(labels, ['__name__']));
}

function hasMatch(samples: readonly Sample[], sample: Sample, matched: (sample: Sample) => string): boolean {
  return samples.some((candidate) => matched(candidate) === matched(sample));
}

function ofNumbers(operator: string, left: number, right: number): number {
  const arithmetic = ARITHMETIC[operator];
  if (!arithmetic) throw new Error(`${operator} between numbers is not supported`);
  return arithmetic(left, right);
}

/** Combines a sample with a number: a comparison keeps or drops it, arithmetic removes its name. */
function combined(operator: string, { labels, value }: Sample, other: number): Sample[] {
  const comparison = COMPARISONS[operator];
  if (comparison) return comparison(value, other) ? [{ labels, value }] : [];
  const arithmetic = ARITHMETIC[operator];
  if (!arithmetic) throw new Error(`${operator} is not supported`);
  return [{ labels: without(labels, ['__name__']), value: arithmetic(value, other) }];
}

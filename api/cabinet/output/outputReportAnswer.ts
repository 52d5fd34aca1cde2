/** Output reports in the format of the cabinet. */
import {
  OUTCOMES,
  REPORT_ROWS,
  type Outcome,
  type OutputReport,
  type ReportKey,
  type ReportLatency,
  type ReportTotals,
  type ReportQuery,
} from '../../../db/output/outputReport.ts';
import type { ReportedExperiment } from '../../../db/output/reportedExperiments.ts';
import { differenceOf, rateOf, type PersonSums, type Rate } from '../../../domain/experiments/rates.ts';
import { peopleOf } from '../../../domain/experiments/samplePeople.ts';
import { MISMATCH_P, sampleRatioP } from '../../../domain/experiments/sampleRatio.ts';
import type { Static } from '../../../domain/schemas/schema.ts';
import type { OutputReportOutput, WARNINGS } from './outputReportFields.ts';

type Output = Static<typeof OutputReportOutput>;
type Warning = Output['warnings'][number];
type Sums = Record<Outcome, PersonSums>;

interface ReadReport {
  report: OutputReport;
  experiments: readonly ReportedExperiment[];
  /** Totals by variant only; empty without experiments. */
  variants: readonly ReportTotals[];
}

export function toReportOutput(
  { from, until, group }: ReportQuery,
  { report, experiments, variants }: ReadReport,
): Output {
  const rows = joinedRows(report);
  const names = new Map(
    experiments.flatMap((one) => one.variants.map(({ name }, index) => [`${one.id}.${index}`, name] as const)),
  );
  const told = experiments.map((one) => experimentOf(one, variants));
  const lastDay = new Date(until.getTime() - 1);
  return {
    from: from.toISOString().slice(0, 10),
    until: lastDay.toISOString().slice(0, 10),
    group: [...group],
    rows: rows.slice(0, REPORT_ROWS).map((row) => ({ ...keyOf(row.key, group, names), ...valuesOf(row) })),
    experiments: told,
    warnings: [
      ...experiments.flatMap((one, at) => warningsOf(one, told[at]?.sample_ratio_p ?? null)),
      ...(rows.length > REPORT_ROWS ? [warning('truncated', null)] : []),
    ],
  };
}

interface JoinedRow {
  key: ReportKey;
  totals: ReportTotals | undefined;
  latency: ReportLatency | undefined;
  impressions: number;
}

/** Joins the parts by key. A key with impressions alone has a row too: its recommendations are from other days. */
function joinedRows({ totals, latencies, impressions }: OutputReport): JoinedRow[] {
  const [byTotals, byLatency, byImpressions] = [byKey(totals), byKey(latencies), byKey(impressions)] as const;
  const keys = new Map<string, ReportKey>([...byImpressions, ...byTotals]);
  return [...keys]
    .map(([text, key]) => ({
      key,
      totals: byTotals.get(text),
      latency: byLatency.get(text),
      impressions: byImpressions.get(text)?.count ?? 0,
    }))
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

function byKey<Row extends ReportKey>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [JSON.stringify([row.day, row.surface, row.variant, row.position]), row]));
}

function compareKeys(a: ReportKey, b: ReportKey): number {
  for (const name of ['day', 'surface', 'variant'] as const) {
    const [one, other] = [a[name] ?? '', b[name] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return (a.position ?? 0) - (b.position ?? 0);
}

type Row = Output['rows'][number];

function keyOf(
  { surface, position, variant, day }: ReportKey,
  group: ReportQuery['group'],
  names: ReadonlyMap<string, string>,
): Pick<Row, 'surface' | 'position' | 'variant' | 'day'> {
  return {
    ...(group.includes('surface') && { surface: surface === '' ? null : surface }),
    ...(group.includes('position') && { position: position ?? -1 }),
    ...(group.includes('variant') && { variant: variantOf(variant ?? '', names) }),
    ...(group.includes('day') && { day: day ?? '' }),
  };
}

function variantOf(variant: string, names: ReadonlyMap<string, string>): NonNullable<Row['variant']> | null {
  const [experiment = '', index] = variant.split('.');
  return variant === '' ? null : { experiment, index: Number(index), name: names.get(variant) ?? null };
}

function valuesOf({ totals, latency, impressions }: JoinedRow): Omit<Row, 'surface' | 'position' | 'variant' | 'day'> {
  const requests = totals?.requests ?? 0;
  const totalOf = (outcome: Outcome): number => totals?.sums[outcome].y ?? 0;
  return {
    requests,
    people: totals?.sums.opens.people ?? 0,
    fallback_share: requests === 0 ? null : (totals?.fallbacks ?? 0) / requests,
    latency_ms: { p50: latency?.p50 ?? null, p95: latency?.p95 ?? null },
    impressions,
    opens: totalOf('opens'),
    goals: totalOf('goals'),
    purchases: totalOf('purchases'),
    revenue: totalOf('revenue'),
    rates: ratesOf((outcome) => totals && rateOf(totals.sums[outcome])),
  };
}

function ratesOf(rate: (outcome: Outcome) => Rate | null | undefined): Row['rates'] {
  const [opens = null, goals = null, purchases = null, revenue = null] = OUTCOMES.map((outcome) => rate(outcome));
  return { opens, goals, purchases, revenue };
}

function experimentOf(
  { id, surface, variants, sample }: ReportedExperiment,
  totals: readonly ReportTotals[],
): Output['experiments'][number] {
  const sums = variants.map((_, index) => totals.find(({ variant }) => variant === `${id}.${index}`)?.sums);
  const [first] = sums;
  const people = peopleOf(sample);
  return {
    id,
    surface,
    variants: variants.map(({ name, share }, index) => ({
      name,
      share,
      people: people[index] ?? 0,
      requests: sums[index]?.opens.x ?? 0,
      rates: ratesOf((outcome) => rateOfSums(sums[index], outcome)),
      difference: index === 0 ? null : ratesOf((outcome) => differenceOfSums(sums[index], first, outcome)),
    })),
    sample_ratio_p: sampleRatioP(
      sample.map((one) => one.people),
      variants.map(({ share }) => share),
    ),
  };
}

function rateOfSums(sums: Sums | undefined, outcome: Outcome): Rate | null {
  return sums ? rateOf(sums[outcome]) : null;
}

function differenceOfSums(one: Sums | undefined, other: Sums | undefined, outcome: Outcome): Rate | null {
  return one && other ? differenceOf(one[outcome], other[outcome]) : null;
}

function warningsOf({ id, isChanged }: ReportedExperiment, p: number | null): Warning[] {
  return [
    warning('shared_learning', id),
    ...(p !== null && p < MISMATCH_P ? [warning('sample_ratio', id)] : []),
    ...(isChanged ? [warning('experiment_changed', id)] : []),
  ];
}

const MESSAGES: Readonly<Record<(typeof WARNINGS)[number], string>> = {
  shared_learning:
    'Варианты учатся на событиях друг друга: популярность и модели у них общие, поэтому разница между ними меньше, чем была бы порознь.',
  sample_ratio:
    'Людей в вариантах не столько, сколько обещают доли, и случаем этого не объяснить: результату нельзя верить, пока причина не найдена.',
  experiment_changed: 'Доли или настройки вариантов менялись в этот период: числа смешивают то, что было до и после.',
  truncated: `Строк больше ${REPORT_ROWS}: остальные отброшены. Уменьшите период или группировку.`,
};

function warning(code: Warning['code'], experiment: string | null): Warning {
  return { code, experiment, message: MESSAGES[code] };
}

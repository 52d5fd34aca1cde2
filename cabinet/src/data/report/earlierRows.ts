/** Pairs the rows of a report with those of earlier days. */
import type { cabinet } from '../client.ts';
import { plusDays, type Days } from '../period.ts';

type Row = cabinet.ReportRow;
type Report = cabinet.ReportResponse;
type Label = Row['dimensions'][number];

/** Number of rows requested for earlier days: more than a page, because their order may differ from the report's. */
export const EARLIER_ROWS_LIMIT = 10_000;

/** Dimensions whose values have no counterpart in earlier days: an earlier week, for example, has another label. */
const WITHOUT_COUNTERPART: ReadonlySet<string> = new Set(['week', 'month', 'quarter', 'year']);

/** Dimensions whose values begin with a day. */
const DAYS: ReadonlySet<string> = new Set(['date', 'date_hour']);

/** Finds the earlier values of a row. */
export type FindEarlierMetrics = (labels: readonly Label[]) => readonly number[] | null;

/**
 * Returns a function that finds the earlier metrics of a row: zeros if there was no such row, null if that is unknown.
 * @param by the dimensions
 * @param days the current and the earlier ones
 */
export function createEarlierFinder(
  by: readonly string[],
  report: Report,
  days: { now: Days; before: Days },
): FindEarlierMetrics {
  if (by.some((id) => WITHOUT_COUNTERPART.has(id))) return () => null;
  const shift = Math.round((Date.parse(days.before.from) - Date.parse(days.now.from)) / 86_400_000);
  const rows = new Map(report.data.map(({ dimensions, metrics }) => [keyOf(dimensions), metrics]));
  const isWhole = report.rows <= report.data.length;
  const zeros = report.totals.map(() => 0);
  return (labels) => {
    const earlier = labels.map((label, index) => shifted(by[index] ?? '', label, shift));
    const known = rows.get(keyOf(earlier));
    if (known) return known;
    // The compared period is shorter and lacks this day.
    if (earlier.some((label, index) => DAYS.has(by[index] ?? '') && isBeyond(label, days.before))) return null;
    return isWhole ? zeros : null;
  };
}

/** Returns the relative change of a value; null for a change from zero to another value. */
export function changeOf(now: number, before: number): number | null {
  if (before === 0) return now === 0 ? 0 : null;
  return (now - before) / Math.abs(before);
}

/** Moves a label that begins with a day by that many days; returns any other label unchanged. */
function shifted(dimension: string, label: Label, days: number): Label {
  if (typeof label !== 'string') return label;
  if (dimension === 'date') return plusDays(label, days);
  return dimension === 'date_hour' ? plusDays(label.slice(0, 10), days) + label.slice(10) : label;
}

function isBeyond(label: Label, { from, to }: Days): boolean {
  const day = typeof label === 'string' ? label.slice(0, 10) : null;
  return day !== null && (day < from || day > to);
}

function keyOf(labels: readonly Label[]): string {
  return JSON.stringify(labels.map((label) => (typeof label === 'object' && label !== null ? label.id : label)));
}

/** Compares the engine's answer with the oracle's. */
import type { Label, Report, ReportRequest } from '../../../reports/reportRequest.ts';
import { levelOf, dimensionOf } from './dimensions.ts';
import { metricOf } from './metrics/metrics.ts';
import type { OracleLabels, OracleReport, OracleRow } from './evaluate.ts';

const RATIO = 1e-9;

function isSameNumber(a: number, b: number, isRatio: boolean): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return isRatio ? Math.abs(a - b) <= RATIO * Math.max(1, Math.abs(a), Math.abs(b)) : Math.abs(a - b) < 5e-7;
}

const idOf = (label: Label): string | null => (typeof label === 'object' && label !== null ? label.id : label);

/** @returns the difference in words, or null */
export function differenceOf(request: ReportRequest, expected: OracleReport, got: Report): string | null {
  const totals = differenceOfNumbers(request, expected.totals, got.totals);
  if (totals !== null) return `totals: ${totals}`;
  if (got.rows !== expected.rows.length)
    return `rows: expected ${expected.rows.length}, got ${got.rows}: expected ${JSON.stringify(expected.rows.map(({ labels }) => labels))}, got ${JSON.stringify(got.data.map(({ dimensions }) => dimensions))}`;
  if ((got.notes !== undefined) !== expected.missesRate) return `notes: expected ${expected.missesRate}`;
  return differenceOfPage(request, expected, got);
}

function differenceOfNumbers(
  { metrics }: ReportRequest,
  expected: readonly number[],
  got: readonly number[],
): string | null {
  for (const [index, id] of metrics.entries()) {
    const [one, other] = [expected[index] ?? Number.NaN, got[index] ?? Number.NaN];
    if (!isSameNumber(one, other, metricOf(id).metric.isRatio)) return `${id}: expected ${one}, got ${other}`;
  }
  return null;
}

/** Compares a page. The last digits of ratios may differ, and rows that differ only there may be in either order. */
function differenceOfPage(request: ReportRequest, expected: OracleReport, got: Report): string | null {
  const order = orderOf(request);
  const sorted = expected.rows.toSorted(order.compare);
  const byLabels = new Map(expected.rows.map((row) => [JSON.stringify(row.labels), row]));
  const page = sorted.slice(request.offset, request.offset + request.limit);
  if (got.data.length !== page.length) return `data: expected ${page.length} rows, got ${got.data.length}`;
  const seen = new Set<string>();
  for (const [index, { dimensions, metrics }] of got.data.entries()) {
    const key = JSON.stringify(dimensions.map(idOf));
    const row = byLabels.get(key);
    if (row === undefined || seen.has(key)) return `a row that is not expected: ${key}`;
    seen.add(key);
    const difference = differenceOfNumbers(request, row.metrics, metrics);
    if (difference !== null) return `row ${key}: ${difference}`;
    const here = page[index];
    if (here !== undefined && JSON.stringify(here.labels) !== key && !order.mayTie(here, row))
      return `order: expected ${JSON.stringify(here.labels)} at ${index}, got ${key}`;
  }
  return null;
}

interface Order {
  compare(a: OracleRow, b: OracleRow): number;
  /** Reports whether they differ only by the last digits of a ratio. */
  mayTie(a: OracleRow, b: OracleRow): boolean;
}

function orderOf(request: ReportRequest): Order {
  const { dimensions, metrics } = request;
  const sorts = request.sort.length > 0 ? request.sort : [defaultSort(request)];
  const compare = (a: OracleRow, b: OracleRow): number => {
    for (const { field, dir } of sorts) {
      const place = metrics.indexOf(field);
      const found = dimensions.includes(field)
        ? compareLabels(field, a.labels, b.labels, dimensions, dir === 'desc')
        : (dir === 'desc' ? -1 : 1) * ((a.metrics[place] ?? 0) - (b.metrics[place] ?? 0));
      if (found !== 0) return found;
    }
    for (const id of dimensions) {
      const found = compareLabels(id, a.labels, b.labels, dimensions, false);
      if (found !== 0) return found;
    }
    return 0;
  };
  const mayTie = (a: OracleRow, b: OracleRow): boolean => {
    const inexact = sorts
      .filter(({ field }) => metrics.includes(field) && metricOf(field).metric.isRatio)
      .map(({ field }) => metrics.indexOf(field));
    return inexact.some(
      (place) =>
        a.metrics[place] !== b.metrics[place] && isSameNumber(a.metrics[place] ?? 0, b.metrics[place] ?? 0, true),
    );
  };
  return { compare, mayTie };
}

function defaultSort({ dimensions, metrics }: ReportRequest): { field: string; dir: 'asc' | 'desc' } {
  const time = dimensions.find((id) => levelOf(id) === 'time');
  return time === undefined ? { field: metrics[0] ?? '', dir: 'desc' } : { field: time, dir: 'asc' };
}

/** Unknown labels are last in either direction. */
function compareLabels(
  id: string,
  a: OracleLabels,
  b: OracleLabels,
  dimensions: readonly string[],
  isDescending: boolean,
): number {
  const place = dimensions.indexOf(id);
  const [one, other] = [a[place] ?? null, b[place] ?? null];
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  const found =
    dimensionOf(id).dimension.sortedAs === 'number'
      ? Number.parseInt(one, 10) - Number.parseInt(other, 10)
      : compareTexts(one, other);
  return isDescending ? -found : found;
}

/** Compares by code point, as UTF-8 does. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

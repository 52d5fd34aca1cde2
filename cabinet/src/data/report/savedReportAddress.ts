/** Converts reports between the address and the stored form. */
import type { cabinet } from '../client.ts';
import { PRESET_DAYS, PRESETS, type Days, type Period } from '../period.ts';
import { reportOf, reportSearchOf, type ReportSearch, type ReportState } from './reportAddress.ts';

export type SavedReport = cabinet.SavedReport;
export type SavedContent = Pick<cabinet.SavedReportCreate, 'report'> & { last_days: number | null };

/** Returns the stored form. A period that ends today moves with the days; any other one is fixed. */
export function contentOf(state: ReportState, { period = '30d', from }: Period, days: Days): SavedContent {
  const report = reportOf(state, days);
  if (from !== undefined || period === 'yesterday') return { report, last_days: null };
  const { date_from: _from, date_to: _to, ...undated } = report;
  return { report: undated, last_days: PRESET_DAYS[period] };
}

/**
 * Returns the address of a saved report. Parts that the builder does not support, from reports saved by scripts, are
 * left out.
 */
export function searchOfSaved({ id, report, last_days: days }: SavedReport): ReportSearch {
  const preset = PRESETS.find((one) => one !== 'yesterday' && PRESET_DAYS[one] === days);
  const search = searchOfRequest({ ...report });
  return { ...search, ...(preset && { period: preset, from: undefined, to: undefined }), saved: id };
}

/** Returns the address of a report with the days of the request. */
export function searchOfRequest(request: Record<string, unknown>): ReportSearch {
  const { dimensions = [], metrics, filters, segment_id, segment, attribution, robots, sort } = request;
  const { date_from: from, date_to: to } = request;
  return reportSearchOf({
    from,
    to,
    by: dimensions,
    show: metrics,
    where: filters,
    segment: segment_id,
    conditions: conditionsIn(segment),
    attribution: attribution === 'last_significant' ? undefined : attribution,
    robots: robots === 'exclude' ? undefined : robots,
    sort: Array.isArray(sort) ? sort[0] : undefined,
  });
}

/** An export stores its segment in parsed form, with separate scope and condition. */
function conditionsIn(segment: unknown): unknown {
  if (typeof segment !== 'object' || segment === null || !('condition' in segment)) return segment;
  const { scope, condition } = segment as { scope?: unknown; condition: object };
  return scope === 'visitor' ? { ...condition, scope } : condition;
}

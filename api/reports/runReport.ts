/** Running a report for somebody who waits for it: so many at a time, and only as long as he waits. */
import type pg from 'pg';
import { releaseReportSlot, takeReportSlot } from '../../db/reportSlots.ts';
import type { SiteSettings } from '../../domain/sites.ts';
import type { Condition, Language, Report, ReportRequest, ReportSite } from '../../reports/request.ts';
import { reportSiteOf } from '../../reports/site.ts';
import type { FieldFault } from '../../schemas/faults.ts';
import { ClientGone } from '../http/body.ts';
import { HttpError, rateLimited, unavailable, validationFailed } from '../http/errors.ts';
import { within, type SentAs } from './sentAs.ts';

/** What runs reports: the engines (reports/engines/). */
export interface Reports {
  /** A report with its sample, and its wait for an engine. */
  longestSeconds: number;
  /**
   * @param options.signal aborted when nobody waits any more
   * @throws {Error} ReportTimeoutError, ReportsBusyError, ReportsUnavailableError, ReportPatternError, ReportTooLargeError, by name
   */
  run(request: ReportRequest, site: ReportSite, options: { language: Language; signal: AbortSignal }): Promise<Report>;
}

export interface RunReportDeps {
  pool: pg.Pool;
  /** Null: this process has no engines. */
  reports: Reports | null;
}

export interface Asking {
  /** Whose reports are counted: `site-key/<id>`, `user/<id>`. */
  slot: { key: string; max: number };
  language: Language;
  /** For what the engine finds wrong. */
  sentAs: SentAs;
  /** Of the connection. */
  signal: AbortSignal;
  /** Of the operation, where the report is its answer: settles when that has been sent. */
  answered?(): Promise<void>;
}

/** Characters from which on an answer keeps its place until it is read: who reads none could have any number of them in memory. */
const LARGE_CHARACTERS = 500_000;
/** Of a metric, about. */
const NUMBER_CHARACTERS = 10;

/** What is between a report's last word and the moment at which its place is free. */
const SPARE_SECONDS = 30;
/** A place is free again when a report ends and, if it is large, has been read: most within a second. */
const BUSY_RETRY_SECONDS = 1;
/** A period or a condition less, or a quieter hour. */
const TIMEOUT_RETRY_SECONDS = 30;

/**
 * The report, once there is a place for it.
 * @throws {HttpError} 429 when all places are taken, 503 when not even a sample is done in time or the engine ended, 422 for a pattern that the engine refuses and for rows with too much text
 * @throws {ClientGone}
 */
export async function runReport(
  { pool, reports }: RunReportDeps,
  request: ReportRequest,
  settings: SiteSettings,
  { slot, language, sentAs, signal, answered }: Asking,
): Promise<Report> {
  if (!reports) throw unavailable();
  const place = await takeReportSlot(pool, slot.key, slot.max, reports.longestSeconds + SPARE_SECONDS);
  if (place === null) throw rateLimited(BUSY_RETRY_SECONDS);
  // Where PostgreSQL is away the report is not lost for it: the place ends with its time.
  const release = (): Promise<void> => releaseReportSlot(pool, place).catch(() => {});
  try {
    if (signal.aborted) throw new ClientGone('the client closed the connection');
    const report = await reports.run(request, reportSiteOf(settings), { language, signal });
    if (answered !== undefined && isLarge(report)) void answered().then(release);
    // Before the answer, so that who has it finds the place free.
    else await release();
    return report;
  } catch (error) {
    await release();
    if (signal.aborted) throw new ClientGone('the client closed the connection');
    throw toHttpError(error, request, sentAs);
  }
}

/** By its length as JSON, about. */
function isLarge({ data }: Report): boolean {
  const lengthOf = (label: Report['data'][number]['dimensions'][number]): number =>
    typeof label === 'string' ? label.length : JSON.stringify(label).length;
  let characters = 0;
  for (const { dimensions, metrics } of data)
    characters +=
      metrics.length * NUMBER_CHARACTERS + dimensions.reduce<number>((sum, label) => sum + lengthOf(label), 0);
  return characters > LARGE_CHARACTERS;
}

function toHttpError(error: unknown, request: ReportRequest, sentAs: SentAs): unknown {
  if (!(error instanceof Error)) return error;
  switch (error.name) {
    case 'ReportTimeoutError':
      return new HttpError(503, 'unavailable', { retryAfter: TIMEOUT_RETRY_SECONDS, cause: error });
    case 'ReportsBusyError':
    case 'ReportEngineDiedError':
    case 'ReportsUnavailableError':
      return unavailable(error);
    case 'ReportPatternError':
      return validationFailed(within(sentAs.path, patternFaults(request, sentAs)));
    case 'ReportTooLargeError':
      return validationFailed(within(sentAs.path, [{ field: 'limit', code: 'invalid_value' }]));
    default:
      return error;
  }
}

/** The engine does not say which of the patterns it refuses. */
function patternFaults({ filters, segment }: ReportRequest, sentAs: SentAs): FieldFault[] {
  const faults = filters.flatMap(({ op }, index): FieldFault[] =>
    op === 'regex' ? [{ field: `filters[${index}]`, code: 'bad_filter' }] : [],
  );
  if (segment && hasPattern(segment.condition)) faults.push({ field: sentAs.segment, code: 'bad_filter' });
  return faults;
}

function hasPattern(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(hasPattern);
  if ('any' in condition) return condition.any.some(hasPattern);
  if ('not' in condition) return hasPattern(condition.not);
  return condition.op === 'regex';
}

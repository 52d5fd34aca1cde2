/** Runs a report for a waiting client: with limited concurrency, and only as long as the client waits. */
import type pg from 'pg';
import { releaseReportSlot, renewReportSlot, takeReportSlot } from '../../db/reports/reportSlots.ts';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import type { Answers, QuestionKind, Requests } from '../../reports/mapAndVisitQuestions.ts';
import type { Language } from '../../domain/language.ts';
import type { Condition, Report, ReportRequest, ReportSite } from '../../reports/reportRequest.ts';
import { reportSiteOf } from '../../reports/reportSite.ts';
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import { ClientDisconnectedError } from '../http/requestBody.ts';
import { HttpError, invalidRequest, rateLimited, unavailable, validationFailed } from '../http/errors.ts';
import { prefixPaths, type SentAs } from './faultPaths.ts';

/** Runs reports: the engines (reports/engines/). */
export interface Reports {
  /** Maximum duration of a report, its sample and its wait for an engine together. */
  longestSeconds: number;
  /**
   * @param options.signal aborted when the client no longer waits
   * @throws {Error} ReportTimeoutError, ReportsBusyError, ReportsUnavailableError, ReportPatternError,
   * ReportTooLargeError, by name
   */
  run(request: ReportRequest, site: ReportSite, options: { language: Language; signal: AbortSignal }): Promise<Report>;
  /** Runs another kind of query; it throws the same errors as `run`. */
  ask<K extends QuestionKind>(
    kind: K,
    request: Requests[K],
    site: ReportSite,
    options: { signal: AbortSignal },
  ): Promise<Answers[K]>;
}

export interface RunReportDeps {
  pool: pg.Pool;
  /** Null when this process has no engines. */
  reports: Reports | null;
}

export interface ClientRunOptions {
  /** The party whose reports are counted: `site-key/<id>`, `user/<id>`. */
  slot: { key: string; max: number };
  language: Language;
  /** For faults that the engine finds. */
  sentAs: SentAs;
  /** Signal of the connection. */
  signal: AbortSignal;
  /** Set by an operation whose response is the report: resolves when it has been sent. */
  responseClosed?(): Promise<void>;
}

/**
 * Minimum number of characters of a response that keeps its slot until it is read; otherwise a client that reads
 * nothing could have any number of them in memory.
 */
const LARGE_CHARACTERS = 500_000;
/** Approximate number of characters of a metric value. */
const NUMBER_CHARACTERS = 10;

/** Extra lease of a slot for the time between the end of its report and its release. */
const LEASE_MARGIN_SECONDS = 30;
/** A slot is released when a report ends and, if it is large, has been read: usually within a second. */
const BUSY_RETRY_SECONDS = 1;
/** Time in which the client may choose a shorter period or fewer conditions, or the load may fall. */
const TIMEOUT_RETRY_SECONDS = 30;

/** Parameters of a report's run besides its slot. */
export type RunOptions = Omit<ClientRunOptions, 'slot' | 'responseClosed'>;

/** One of the slots of a key, for one report after the other. */
export interface ReportSlot {
  /**
   * @throws {HttpError} 503 when not even a sample is finished in time or the engine ended, 422 for a pattern that the
   * engine refuses and for rows with too much text; {ClientDisconnectedError}
   */
  run(request: ReportRequest, settings: SiteSettings, options: RunOptions): Promise<Report>;
  /** Extends the lease of the slot. */
  renew(): Promise<void>;
  /** May be called more than once. */
  release(): Promise<void>;
}

/**
 * @param spareSeconds how long the holder may keep the slot in addition to one report
 * @throws {HttpError} 429 when all slots are taken, 503 in a process without engines
 */
export async function takeSlot(
  { pool, reports }: RunReportDeps,
  { key, max }: ClientRunOptions['slot'],
  spareSeconds = LEASE_MARGIN_SECONDS,
): Promise<ReportSlot> {
  if (!reports) throw unavailable();
  const seconds = reports.longestSeconds + spareSeconds;
  const held = await takeReportSlot(pool, key, max, seconds);
  if (held === null) throw rateLimited(BUSY_RETRY_SECONDS);
  return {
    run: (...asked) => runInSlot(reports, ...asked),
    // The report does not fail when PostgreSQL is unavailable: the slot then expires.
    renew: () => renewReportSlot(pool, held, seconds).catch(() => {}),
    release: () => releaseReportSlot(pool, held).catch(() => {}),
  };
}

/**
 * Returns the report, once there is a slot for it.
 * @throws {HttpError} those of {@link takeSlot} and of {@link ReportSlot.run}
 * @throws {ClientDisconnectedError}
 */
export async function runReport(
  deps: RunReportDeps,
  request: ReportRequest,
  settings: SiteSettings,
  { slot, responseClosed, ...options }: ClientRunOptions,
): Promise<Report> {
  const held = await takeSlot(deps, slot);
  try {
    const report = await held.run(request, settings, options);
    if (responseClosed !== undefined && isLarge(report)) void responseClosed().then(held.release);
    // Before the response, so that its reader finds the slot free.
    else await held.release();
    return report;
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** Parameters of queries other than reports: the slot, and the signal of the client. */
export interface LakeQueryOptions extends Pick<ClientRunOptions, 'slot' | 'signal'> {
  /** The field that names a saved segment, for patterns that the engine refuses. */
  segmentField: string;
}

/**
 * Runs a query other than a report, once there is a slot for it.
 * @throws {HttpError} those of {@link takeSlot}; 503 when it is not finished in time or the engine ended, 400 for a
 * pattern that the engine refuses
 * @throws {ClientDisconnectedError}
 */
export async function queryLake<K extends QuestionKind>(
  deps: RunReportDeps,
  kind: K,
  request: Requests[K],
  settings: SiteSettings,
  { slot, signal, segmentField }: LakeQueryOptions,
): Promise<Answers[K]> {
  const { reports } = deps;
  if (!reports) throw unavailable();
  const held = await takeSlot(deps, slot);
  try {
    return await whileConnected(
      signal,
      () => reports.ask(kind, request, reportSiteOf(settings), { signal }),
      () => invalidRequest([{ field: segmentField, code: 'bad_filter' }]),
    );
  } finally {
    await held.release();
  }
}

async function runInSlot(
  reports: Reports,
  request: ReportRequest,
  settings: SiteSettings,
  { language, sentAs, signal }: RunOptions,
): Promise<Report> {
  return whileConnected(
    signal,
    () => reports.run(request, reportSiteOf(settings), { language, signal }),
    () => validationFailed(prefixPaths(sentAs.path, patternFaults(request, sentAs))),
    () => validationFailed(prefixPaths(sentAs.path, [{ field: 'limit', code: 'invalid_value' }])),
  );
}

async function whileConnected<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  onPattern: () => HttpError,
  onTooLarge: () => HttpError = onPattern,
): Promise<T> {
  try {
    if (signal.aborted) throw new ClientDisconnectedError('the client closed the connection');
    return await work();
  } catch (error) {
    if (signal.aborted) throw new ClientDisconnectedError('the client closed the connection');
    throw toHttpError(error, onPattern, onTooLarge);
  }
}

/** Returns true when the report keeps its slot until it is read, by its approximate length as JSON. */
export function isLarge({ data }: Report): boolean {
  const lengthOf = (label: Report['data'][number]['dimensions'][number]): number =>
    typeof label === 'string' ? label.length : JSON.stringify(label).length;
  let characters = 0;
  for (const { dimensions, metrics } of data)
    characters +=
      metrics.length * NUMBER_CHARACTERS + dimensions.reduce<number>((sum, label) => sum + lengthOf(label), 0);
  return characters > LARGE_CHARACTERS;
}

function toHttpError(error: unknown, onPattern: () => HttpError, onTooLarge: () => HttpError): unknown {
  if (!(error instanceof Error)) return error;
  switch (error.name) {
    case 'ReportTimeoutError':
      return new HttpError(503, 'unavailable', { retryAfter: TIMEOUT_RETRY_SECONDS, cause: error });
    case 'ReportsBusyError':
    case 'ReportEngineDiedError':
    case 'ReportsUnavailableError':
      return unavailable(error);
    case 'ReportPatternError':
      return onPattern();
    case 'ReportTooLargeError':
      return onTooLarge();
    default:
      return error;
  }
}

/** The engine does not report which of the patterns it refuses. */
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

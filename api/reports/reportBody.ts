/**
 * Reads the body of a report request and validates it completely: by its schema, the registry and the site's clock,
 * before anything is run.
 */
import type pg from 'pg';
import type { ReportRequest } from '../../reports/reportRequest.ts';
import { reportFaults, reportRequestOf, segmentOf, type ReportBody } from '../../reports/validate/index.ts';
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import { joinFaults, type CompileValidator } from '../../domain/schemas/validation.ts';
import { createElementValidator } from '../http/batchElements.ts';
import { notFound, validationFailed, type HttpError } from '../http/errors.ts';
import { reportRequest } from './reportSchemas.ts';
import { findSavedSegment } from './savedSegment.ts';
import { prefixPaths, type SentAs } from './faultPaths.ts';

export interface ReadReportDeps {
  pool: pg.Pool;
  validators: CompileValidator;
}

export interface ReadReportOptions {
  now: Date;
  /** Path of the report when it is a field of another body: `report`. */
  path?: string;
}

/** The request with the saved segment expanded, and how it was sent, for faults that only the engine finds. */
export interface ReadReport {
  request: ReportRequest;
  sentAs: SentAs;
}

/** The language affects only descriptions, so either one validates the same. */
const validateForm = createElementValidator(reportRequest('en'));

/** @throws {HttpError} 422 with all faults of the request, including an unknown saved segment */
export async function readReport(
  deps: ReadReportDeps,
  site: { siteId: string; timezone: string },
  body: unknown,
  { now, path = '' }: ReadReportOptions,
): Promise<ReadReport> {
  const found = faultsOf(deps, site, body, now);
  const id = segmentIdOf(body, found);
  const saved =
    id === null ? { segment: null, faults: [] } : await findSavedSegment(deps.pool, site.siteId, id, 'segment_id');
  const faults = [...found, ...saved.faults];
  if (faults.length > 0) throw validationFailed(prefixPaths(path, faults));
  // A body without faults has the schema's type.
  const report = body as ReportBody;
  const request = reportRequestOf(
    report,
    saved.segment ?? (report.segment === undefined ? null : segmentOf(report.segment)),
  );
  return { request, sentAs: { path, segment: id === null ? 'segment' : 'segment_id' } };
}

/**
 * Returns the error for a report on a site that does not exist: its faults, judged by the UTC clock, take precedence
 * over 404. Saved segments of such a site are unknown, so an unknown one is not a fault.
 */
export function refusalWithoutSite(
  deps: ReadReportDeps,
  body: unknown,
  { now, path = '' }: ReadReportOptions,
): HttpError {
  const faults = faultsOf(deps, { timezone: 'UTC' }, body, now);
  return faults.length > 0 ? validationFailed(prefixPaths(path, faults)) : notFound();
}

/** Returns all faults except those of the saved segment's content. */
function faultsOf({ validators }: ReadReportDeps, site: { timezone: string }, body: unknown, now: Date): FieldFault[] {
  return joinFaults(validateForm(body, validators), reportFaults(body, site, now));
}

/** Returns the saved segment of the request, if that part of the request is valid. */
function segmentIdOf(body: unknown, faults: readonly FieldFault[]): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { segment_id: id } = body as { segment_id?: unknown };
  return typeof id === 'string' && !faults.some(({ field }) => field === 'segment_id') ? id : null;
}

/** The body of a report's request, judged whole: by its schema, by the registry and by the site's clock, before anything is run. */
import type pg from 'pg';
import { findSegment } from '../../db/sites/segments.ts';
import type { ReportRequest, Segment } from '../../reports/request.ts';
import {
  conditionsFaults,
  reportFaults,
  reportRequestOf,
  segmentOf,
  type ReportBody,
} from '../../reports/validate/index.ts';
import type { FieldFault } from '../../schemas/faults.ts';
import { joinFaults, type CompileValidator } from '../../schemas/validation.ts';
import { createElementValidator } from '../http/elements.ts';
import { notFound, validationFailed, type HttpError } from '../http/errors.ts';
import { reportRequest } from './schema.ts';
import { within, type SentAs } from './sentAs.ts';

export interface ReadReportDeps {
  pool: pg.Pool;
  validators: CompileValidator;
}

export interface ReadReportOptions {
  now: Date;
  /** Of the body, when it is a field of another one: `report`. */
  path?: string;
}

/** What is asked, the saved segment written out; and how it was, for what only the engine finds wrong with it. */
export interface ReadReport {
  request: ReportRequest;
  sentAs: SentAs;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Judges alike in either language. */
const judgeForm = createElementValidator(reportRequest('en'));

/** @throws {HttpError} 422 with all that is wrong with the request, an unknown saved segment among it */
export async function readReport(
  deps: ReadReportDeps,
  site: { siteId: string; timezone: string },
  body: unknown,
  { now, path = '' }: ReadReportOptions,
): Promise<ReadReport> {
  const found = faultsOf(deps, site, body, now);
  const id = segmentIdOf(body, found);
  const saved = id === null ? NO_SEGMENT : await findSavedSegment(deps.pool, site.siteId, id);
  const faults = [...found, ...saved.faults];
  if (faults.length > 0) throw validationFailed(within(path, faults));
  // Without faults it is of the schema's form.
  const report = body as ReportBody;
  const request = reportRequestOf(
    report,
    saved.segment ?? (report.segment === undefined ? null : segmentOf(report.segment)),
  );
  return { request, sentAs: { path, segment: id === null ? 'segment' : 'segment_id' } };
}

/** What a report on a site that is not there is told: its faults before 404, by the clock of UTC. No saved segment of it can be known, so that is none of them. */
export function refusalWithoutSite(
  deps: ReadReportDeps,
  body: unknown,
  { now, path = '' }: ReadReportOptions,
): HttpError {
  const faults = faultsOf(deps, { timezone: 'UTC' }, body, now);
  return faults.length > 0 ? validationFailed(within(path, faults)) : notFound();
}

/** All but what a look at the saved segment finds. */
function faultsOf({ validators }: ReadReportDeps, site: { timezone: string }, body: unknown, now: Date): FieldFault[] {
  return joinFaults(judgeForm(body, validators), reportFaults(body, site, now));
}

/** The saved segment that the request names, if what it says of it is right so far. */
function segmentIdOf(body: unknown, faults: readonly FieldFault[]): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { segment_id: id } = body as { segment_id?: unknown };
  return typeof id === 'string' && !faults.some(({ field }) => field === 'segment_id') ? id : null;
}

interface SavedSegment {
  segment: Segment | null;
  faults: FieldFault[];
}

const NO_SEGMENT: SavedSegment = { segment: null, faults: [] };

/** Judged again: what it asks for may be gone since it was saved. */
async function findSavedSegment(pool: pg.Pool, siteId: string, id: string): Promise<SavedSegment> {
  const saved = UUID.test(id) ? await findSegment(pool, siteId, id) : null;
  if (saved === null) return { segment: null, faults: [{ field: 'segment_id', code: 'unknown_segment' }] };
  const [fault] = conditionsFaults(saved.conditions, 'segment_id');
  if (fault) return { segment: null, faults: [{ field: 'segment_id', code: fault.code }] };
  return { segment: segmentOf(saved.conditions), faults: [] };
}

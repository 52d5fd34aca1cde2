/** A report from its request to its answer, in one DuckDB. */
import { compileReport, peopleNeeds, refundedFrom, sampleOf, visitsRead } from '../compile/index.ts';
import { labelsOf } from '../labels/index.ts';
import type { LentConnection } from '../lake/connection.ts';
import type { Lake } from '../lake/index.ts';
import { loadPeople } from '../people/index.ts';
import {
  REPORT_LIMITS,
  type Language,
  type NoteCode,
  type Report,
  type ReportRequest,
  type ReportSite,
} from '../request.ts';
import { attachSites } from '../lake/database.ts';
import { loadFreshVisits, type Fresh } from './freshVisits.ts';
import { interruptOn } from './interrupt.ts';
import { lacksCities, noteOf } from './notes.ts';
import { visitColumnsOf } from './visitColumns.ts';

/** How a report is made, beside what is asked. */
export interface RunOptions {
  language: Language;
  /** A tenth of the visitors or persons. */
  sampled: boolean;
  /** LATE_EVENT_HOURS: how far a visit's start may have moved. */
  lateEventHours: number;
  /** What is told of fewer people by an audience's dimensions, filters or segments is left out. */
  audienceMinPeople: number;
}

/** What a compiled report gives: the totals first, then the page of rows in order. */
interface ResultRow {
  is_total: boolean;
  d: (string | null)[];
  m: number[];
  row_count: bigint;
  missing_rate: boolean;
}

/** Characters of all labels: as much as an answer's 10,000 rows need of the longest addresses that can be sent (20.5 million), and a file's 100,000 of long ones. Who has it in memory has it several times, as objects, as what goes between processes and as JSON. */
const MOST_CHARACTERS = { answer: 32_000_000, file: 64_000_000 } as const;

/**
 * @param options.signal ends the report: the statement in hand is interrupted
 * @throws {LakeError} of DuckDB, also when it was interrupted; the signal's reason when it aborted between two statements
 * @throws {RowsTooLongError}
 */
export async function runReport(
  lake: Lake,
  request: ReportRequest,
  site: ReportSite,
  { signal, ...options }: RunOptions & { signal?: AbortSignal },
): Promise<Report> {
  return lake.withConnection(async (connection) => {
    const stopListening = interruptOn(connection, signal);
    try {
      const checked = withSignal(connection, signal);
      const told = await prologue(lake, checked, request, site, options);
      return reportOf(await askLake(checked, told.fresh, request, site, options), told, request, site, options);
    } finally {
      stopListening();
    }
  });
}

/** Nothing is begun any more once it has aborted. */
function withSignal(connection: LentConnection, signal: AbortSignal | undefined): LentConnection {
  return {
    ...connection,
    async query<Row>(...asked: Parameters<LentConnection['query']>) {
      signal?.throwIfAborted();
      return connection.query<Row>(...asked);
    },
  };
}

/** What PostgreSQL told. */
interface Told {
  fresh: Fresh;
  lacksCities: boolean;
}

/** Reads PostgreSQL, all of it as of one moment. */
async function prologue(
  lake: Lake,
  connection: LentConnection,
  request: ReportRequest,
  site: ReportSite,
  options: RunOptions,
): Promise<Told> {
  const { sampled } = options;
  const columns = visitColumnsOf(request, { ...options, site });
  await connection.query(attachSites(lake.settings));
  await connection.query('begin transaction');
  const span = visitsRead(request, site.timezone, options.lateEventHours);
  const fresh = await loadFreshVisits(connection, site.siteId, { span, sample: sampleOf(request, sampled), columns });
  await loadPeople(connection, site.siteId, peopleNeeds(request, sampled), sampled);
  const told = { fresh, lacksCities: await lacksCities(connection, request) };
  await connection.query('commit');
  return told;
}

/** In one transaction, for a statement with parameters is planned and run in one each otherwise. */
async function askLake(
  connection: LentConnection,
  fresh: Fresh,
  request: ReportRequest,
  site: ReportSite,
  options: RunOptions,
): Promise<ResultRow[]> {
  const { sampled, lateEventHours, audienceMinPeople } = options;
  await connection.query('begin transaction');
  const { sql, params } = compileReport(request, {
    site,
    snapshot: fresh.snapshot,
    hasFresh: fresh.visits > 0,
    hasLeftOut: fresh.leftOut > 0,
    refundedFrom: await oldestRefunded(connection, fresh, request, site),
    sampled,
    lateEventHours,
    audienceMinPeople,
  });
  const mostCharacters = request.limit > REPORT_LIMITS.rows ? MOST_CHARACTERS.file : MOST_CHARACTERS.answer;
  const rows = await connection.query<ResultRow>(sql, params, { mostCharacters });
  await connection.query('commit');
  return rows;
}

/** @returns epoch milliseconds; null: no refund of the period is of a visit, or none is asked for */
async function oldestRefunded(
  connection: LentConnection,
  { snapshot }: Fresh,
  request: ReportRequest,
  site: ReportSite,
): Promise<number | null> {
  const question = refundedFrom(request, site, snapshot);
  if (question === null) return null;
  const [oldest] = await connection.query<{ at: Date | null }>(question.sql, question.params);
  return oldest?.at?.getTime() ?? null;
}

function reportOf(
  [total, ...rows]: readonly ResultRow[],
  told: Told,
  request: ReportRequest,
  site: ReportSite,
  { language, sampled }: RunOptions,
): Report {
  if (total?.is_total !== true) throw new Error('the totals of a report are missing');
  const labels = labelsOf(
    request.dimensions,
    rows.map(({ d }) => d),
    site,
    language,
  );
  const codes: NoteCode[] = [];
  if (total.missing_rate) codes.push('missing_rate');
  if (told.lacksCities) codes.push('no_city_database');
  return {
    data: rows.map(({ m }, index) => ({ dimensions: labels[index] ?? [], metrics: m })),
    totals: total.m,
    sampled,
    timezone: site.timezone,
    ...(codes.length > 0 && { notes: codes.map((code) => noteOf(code, language)) }),
    rows: Number(total.row_count),
  };
}

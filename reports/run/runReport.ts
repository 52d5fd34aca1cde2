/**
 * Runs a report in one DuckDB, from its request to its answer. reports/engines/engines.ts decides when a report that
 * takes too long is run again on a sample.
 */
import { compileRefundedFrom, compileReport } from '../compile/index.ts';
import type { RunOptions } from '../job.ts';
import { labelsOf } from '../labels/index.ts';
import type { InterruptibleConnection } from '../lake/connection.ts';
import type { Lake } from '../lake/index.ts';
import type { NoteCode, Report, ReportRequest, ReportSite } from '../reportRequest.ts';
import { askLake, contextOf, inOneTransaction, readPostgres, withInterrupt } from './askLake.ts';
import { DUCKDB } from '../sql/duckdb.ts';
import type { Fresh } from './freshVisits.ts';
import { maxLabelCharacters } from './labelCharacters.ts';
import { lacksCities, noteOf } from './reportNotes.ts';

/** A row of a compiled report: the totals first, then the page of rows in order. */
interface ResultRow {
  is_total: boolean;
  d: (string | null)[];
  m: number[];
  row_count: bigint;
  missing_rate: boolean;
}

/**
 * Runs a report.
 * @param options.signal interrupts the running statement
 * @throws {LakeError} from DuckDB, also after an interrupt; the signal's reason if it aborted between two statements
 * @throws {RowsTooLongError}
 */
export async function runReport(
  lake: Lake,
  request: ReportRequest,
  site: ReportSite,
  { signal, ...options }: RunOptions & { signal?: AbortSignal },
): Promise<Report> {
  return withInterrupt(lake, signal, async (connection) => {
    const { fresh, more } = await readPostgres(lake, connection, request, site, options, () =>
      lacksCities(connection, request),
    );
    const compiled = compileReport(request, {
      ...contextOf(fresh, site, options),
      refundedFrom: await oldestRefunded(connection, fresh, request, site),
    });
    const limits = { maxCharacters: maxLabelCharacters(request) };
    return reportOf(await askLake<ResultRow>(connection, fresh, compiled, limits), more, request, site, options);
  });
}

/** @returns epoch milliseconds; null if no refund of the period belongs to a visit, or none is requested */
async function oldestRefunded(
  connection: InterruptibleConnection,
  { snapshot }: Fresh,
  request: ReportRequest,
  site: ReportSite,
): Promise<number | null> {
  const compiled = compileRefundedFrom(request, site, snapshot, DUCKDB);
  if (compiled === null) return null;
  const [oldest] = await inOneTransaction(connection, () =>
    connection.query<{ at: Date | null }>(compiled.sql, compiled.params),
  );
  return oldest?.at?.getTime() ?? null;
}

function reportOf(
  [total, ...rows]: readonly ResultRow[],
  hasNoCities: boolean,
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
  if (hasNoCities) codes.push('no_city_database');
  return {
    data: rows.map(({ m }, index) => ({ dimensions: labels[index] ?? [], metrics: m })),
    totals: total.m,
    sampled,
    timezone: site.timezone,
    ...(codes.length > 0 && { notes: codes.map((code) => noteOf(code, language)) }),
    rows: Number(total.row_count),
  };
}

/** Answers the question which recorded visits are in a segment. */
import { compileRecordedVisits, RECORDED, requestOf, visitsRead } from '../compile/index.ts';
import type { InterruptibleConnection } from '../lake/connection.ts';
import type { RunOptions } from '../job.ts';
import type { Lake } from '../lake/index.ts';
import { SITES_DATABASE } from '../lake/database.ts';
import { quotedText } from '../sql/quotedText.ts';
import type { RecordedVisits, VisitsQuestion } from '../mapAndVisitQuestions.ts';
import type { ReportSite } from '../reportRequest.ts';
import { askLake, contextOf, readPostgres, withInterrupt } from './askLake.ts';

/**
 * Maximum number of recordings whose visitors are read, the newest first. A quota does not let a site keep that many
 * for long.
 */
const MAX_RECORDINGS = 100_000;

/** @throws as runReport does */
export async function recordedVisits(
  lake: Lake,
  question: VisitsQuestion,
  site: ReportSite,
  { signal, ...options }: RunOptions & { signal?: AbortSignal },
): Promise<RecordedVisits> {
  return withInterrupt(lake, signal, async (connection) => {
    const request = requestOf(question);
    const since = visitsRead(request, site.timezone, options.lateEventHours).from;
    const { fresh } = await readPostgres(lake, connection, request, site, options, () =>
      loadRecorded(connection, site.siteId, since),
    );
    const compiled = compileRecordedVisits(question, contextOf(fresh, site, options));
    const rows = await askLake<{ visit_id: string }>(connection, fresh, compiled);
    return { visits: rows.map(({ visit_id: id }) => id), sampled: false };
  });
}

/**
 * Loads recorded visitors before any hits are read, which makes most segments fast.
 * @param since epoch milliseconds
 */
async function loadRecorded(connection: InterruptibleConnection, siteId: string, since: number): Promise<void> {
  const recorded = `select distinct visitor_id from (
    select visitor_id from site_recordings where site_id = ${quotedText(siteId)} and created_at >= to_timestamp(${since} / 1000.0) and deleted_at is null
     order by created_at desc limit ${MAX_RECORDINGS}) r`;
  await connection.query(
    `create or replace temp table ${RECORDED} as from postgres_query('${SITES_DATABASE}', ${quotedText(recorded)})`,
  );
}

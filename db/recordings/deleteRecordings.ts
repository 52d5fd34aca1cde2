/**
 * Deletion of session recordings. The id of a deleted recording is kept for a day, so that a chunk that is still on its
 * way does not begin it again; its blobs become garbage (db/blobGarbage.ts), which the relay removes.
 */
import type pg from 'pg';
import { recordingBlobFolder } from '../../domain/jobs/ids.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { deleteOldRecordedBytes } from './dailyBytes.ts';
import { QUOTA_DAYS, FAVOURITE_DAYS } from './lifetime.ts';

/** Seconds after its removal for which a recording cannot begin again; by then its blobs are deleted. */
const REMOVED_SECONDS = 86_400;
/** Seconds within which an intake finishes storing a chunk; the blobs are deleted afterwards. */
const REMOVED_BLOBS_SECONDS = 600;

interface RecordingRef {
  siteId: string;
  recordingId: string;
}

/** Deletes one recording; false when the site has no such recording. */
export function deleteRecording(pool: pg.Pool, siteId: string, recordingId: string): Promise<boolean> {
  return inTransaction(
    pool,
    async (client) =>
      (await discard(
        client,
        await lock(
          client,
          'select site_id, recording_id from site_recordings where site_id = $1 and recording_id = $2 and deleted_at is null for update',
          [siteId, recordingId],
        ),
      )) === 1,
  );
}

/**
 * Deletes every recording of a visitor, in the caller's transaction. Call it after the row in site_visitors is deleted,
 * in that transaction or a later one: then no new recording can begin.
 * @returns how many
 */
export async function deleteVisitorRecordings(client: Queryable, siteId: string, visitorId: string): Promise<number> {
  return discard(
    client,
    await lock(
      client,
      'select site_id, recording_id from site_recordings where site_id = $1 and visitor_id = $2 and deleted_at is null order by recording_id for update',
      [siteId, visitorId],
    ),
  );
}

/**
 * Deletes expired recordings, and deletes the ids of those that were deleted a day ago; at most `limit` of each. Safe
 * to run concurrently.
 * @returns how many were handled: fewer than `limit` means that no more are due
 */
export async function deleteExpiredRecordings(pool: pg.Pool, limit: number): Promise<number> {
  const expired = await inTransaction(pool, async (client) =>
    discard(client, await lock(client, `${EXPIRED} limit $1 for update of r skip locked`, [limit])),
  );
  const { rowCount } = await pool.query(
    `delete from site_recordings where (site_id, recording_id) in (
       select site_id, recording_id from site_recordings where deleted_at < now() - make_interval(secs => $2) limit $1)`,
    [limit, REMOVED_SECONDS],
  );
  await deleteOldRecordedBytes(pool);
  return Math.max(expired, rowCount ?? 0);
}

/** Site by site, oldest first, so that all recordings of a site with a long retention need not be scanned. */
const EXPIRED = `
  select r.site_id, r.recording_id
    from sites s
    cross join lateral (
      (select recording_id, is_favourite from site_recordings where site_id = s.id and deleted_at is null and not is_favourite
          and created_at < now() - make_interval(days => ${QUOTA_DAYS}) order by created_at limit $1)
      union all
      (select recording_id, is_favourite from site_recordings where site_id = s.id and deleted_at is null and is_favourite
          and created_at < now() - make_interval(days => greatest(${FAVOURITE_DAYS}, ${QUOTA_DAYS})) order by created_at limit $1)) due
    join site_recordings r on r.site_id = s.id and r.recording_id = due.recording_id and r.is_favourite = due.is_favourite and r.deleted_at is null`;

async function lock(client: Queryable, select: string, values: unknown[]): Promise<RecordingRef[]> {
  const { rows } = await client.query<{ site_id: string; recording_id: string }>(select, values);
  return rows.map((row) => ({ siteId: row.site_id, recordingId: row.recording_id }));
}

/** Discards recordings that are already locked. */
async function discard(client: Queryable, recordings: readonly RecordingRef[]): Promise<number> {
  if (recordings.length === 0) return 0;
  const ids = [recordings.map(({ siteId }) => siteId), recordings.map(({ recordingId }) => recordingId)];
  const IS_ONE_OF = '(site_id, recording_id) in (select * from unnest($1::text[], $2::uuid[]))';
  await client.query(
    `insert into blob_garbage (project_id, folder, after) select *, now() + make_interval(secs => $3) from unnest($1::text[], $2::text[])
     on conflict (project_id, folder) do update set after = excluded.after`,
    [
      ids[0],
      recordings.map(({ siteId, recordingId }) => recordingBlobFolder(siteId, recordingId)),
      REMOVED_BLOBS_SECONDS,
    ],
  );
  await client.query(`delete from site_recording_chunks where ${IS_ONE_OF}`, ids);
  await client.query(
    `update site_recordings set visitor_id = null, user_agent = null, pages = null, is_favourite = false, deleted_at = now() where ${IS_ONE_OF}`,
    ids,
  );
  return recordings.length;
}

/** Bytes of recordings received on the current day (Moscow time), by site and by sender. */
import type pg from 'pg';
import type { RecordedBytes } from '../../domain/recordings/recordingQuota.ts';
import type { Queryable } from '../pool.ts';

const TODAY = `(now() at time zone 'Europe/Moscow')::date`;

/** Counts the bytes. @param sender a hash of the address; null counts for the site only */
export async function countRecordedBytes(
  pool: Queryable,
  siteId: string,
  sender: string | null,
): Promise<RecordedBytes> {
  const { rows } = await pool.query<RecordedBytes>({
    name: 'recorded-bytes',
    text: `select coalesce(sum(bytes) filter (where sender = ''), 0)::float8 as "ofSite",
                  coalesce(sum(bytes) filter (where sender <> ''), 0)::float8 as "ofSender"
             from recording_bytes where site_id = $1 and day = ${TODAY} and sender = any($2::text[])`,
    values: [siteId, sender === null ? [''] : ['', sender]],
  });
  return rows[0] ?? { ofSite: 0, ofSender: 0 };
}

/**
 * Runs in the transaction that stores a chunk. The sender's row is locked before that of its site, which is therefore
 * held for a shorter time.
 */
export async function addRecordedBytes(
  client: Queryable,
  siteId: string,
  sender: string,
  bytes: number,
): Promise<void> {
  for (const party of [sender, '']) {
    await client.query({
      name: 'recorded-bytes-add',
      text: `insert into recording_bytes as b (site_id, day, sender, bytes) values ($1, ${TODAY}, $2, $3)
             on conflict (site_id, day, sender) do update set bytes = b.bytes + excluded.bytes`,
      values: [siteId, party, bytes],
    });
  }
}

/** Deletes the days before yesterday. */
export async function deleteOldRecordedBytes(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from recording_bytes where day < ${TODAY} - 1`);
}

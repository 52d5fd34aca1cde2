/** The intake of session recordings: a recording begins, and each of its chunks is stored once. */
import type pg from 'pg';
import { RECORDING_MAX_BYTES, RECORDING_MAX_CHUNKS } from '../../domain/recordings/recordingLimits.ts';
import { countMarks, MAX_PAGES, pagesOf, type RecordingMark } from '../../domain/recordings/marks.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { addRecordedBytes } from './dailyBytes.ts';
import { lockSite } from '../sites/lockSite.ts';
import { VISIT_PAUSE_SECONDS } from '../../domain/visits/visitPause.ts';
import {
  COUNTED_MS,
  SHORT_MAX_CHUNKS,
  YOUNG_SECONDS,
  type RecordingQuota,
  type RecordingsOfDay,
  isDayFull,
} from '../../domain/recordings/recordingQuota.ts';

export interface ChunkRef {
  siteId: string;
  recordingId: string;
  visitorId: string;
  seq: number;
}

/**
 * `known`: this chunk is stored; `room`: it may be stored; `new`: its recording has to begin first. `gone`: the
 * recording was removed; `foreign`: it belongs to another visitor; `full`: it has reached the maximum size.
 */
export type ChunkState = 'known' | 'room' | 'new' | 'gone' | 'foreign' | 'full';

/** Returns what may be done with a chunk, before anything of it is written. */
export async function findChunkState(
  pool: Queryable,
  { siteId, recordingId, visitorId, seq }: ChunkRef,
): Promise<ChunkState> {
  const {
    rows: [recording],
  } = await pool.query<{ isGone: boolean; isForeign: boolean; isKnown: boolean; isFull: boolean }>({
    name: 'recording-chunk-state',
    text: `select deleted_at is not null as "isGone", visitor_id is distinct from $3 as "isForeign", chunks >= $5 or bytes >= $6 as "isFull",
                  exists (select from site_recording_chunks where site_id = $1 and recording_id = $2 and seq = $4) as "isKnown"
             from site_recordings where site_id = $1 and recording_id = $2`,
    values: [siteId, recordingId, visitorId, seq, RECORDING_MAX_CHUNKS, RECORDING_MAX_BYTES],
  });
  if (!recording) return 'new';
  if (recording.isGone) return 'gone';
  if (recording.isForeign) return 'foreign';
  if (recording.isKnown) return 'known';
  return recording.isFull ? 'full' : 'room';
}

export interface NewRecording {
  siteId: string;
  recordingId: string;
  visitorId: string;
  userAgent: string;
}

/** `unknown_visitor`: /collect does not know the visitor, or the visitor was deleted. */
export type BeginFault = 'day_full' | 'unknown_visitor';

/** Returns why a recording could not begin now, without locking anything; null when it could. */
export async function findBeginFault(
  pool: Queryable,
  { siteId, visitorId }: Pick<ChunkRef, 'siteId' | 'visitorId'>,
  quota: RecordingQuota,
): Promise<BeginFault | null> {
  const { rowCount } = await pool.query('select from site_visitors where site_id = $1 and visitor_id = $2', [
    siteId,
    visitorId,
  ]);
  if (rowCount === 0) return 'unknown_visitor';
  const group = await findVisitGroup(pool, siteId, visitorId);
  return isDayFull(await countRecordings(pool, siteId), quota, group !== null) ? 'day_full' : null;
}

/**
 * Begins a recording unless the site's daily quota is used up; one that somebody else has begun in the meantime counts
 * as begun. The row is stored before any blob, so that whoever removes the row also removes the folder. New recordings
 * of one site wait for each other.
 * @returns why not; null when it has begun
 */
export function beginRecording(
  pool: pg.Pool,
  { siteId, recordingId, visitorId, userAgent }: NewRecording,
  quota: RecordingQuota,
): Promise<BeginFault | null> {
  return inTransaction(pool, async (client) => {
    // This lock guards against a deletion of the visitor, which runs either before (then there is no visitor) or after
    // (then it removes this recording too).
    const { rowCount } = await client.query(
      'select from site_visitors where site_id = $1 and visitor_id = $2 for key share',
      [siteId, visitorId],
    );
    if (rowCount === 0) return 'unknown_visitor';
    if (!(await lockSite(client, siteId))) return 'unknown_visitor';
    const group = await findVisitGroup(client, siteId, visitorId);
    if (isDayFull(await countRecordings(client, siteId), quota, group !== null)) return 'day_full';
    await client.query(
      `insert into site_recordings (site_id, recording_id, visitor_id, day, user_agent, visit_group)
       values ($1, $2, $3, (now() at time zone 'Europe/Moscow')::date, $4, $5) on conflict do nothing`,
      [siteId, recordingId, visitorId, userAgent, group ?? recordingId],
    );
    return null;
  });
}

/**
 * Returns the visit of a recording that begins now: that of the visitor's other tabs, or of their previous page. Null
 * if the recording begins a new visit.
 */
async function findVisitGroup(client: Queryable, siteId: string, visitorId: string): Promise<string | null> {
  const { rows } = await client.query<{ group: string }>({
    name: 'recording-visit-group',
    text: `select coalesce(visit_group, recording_id) as group from site_recordings
            where site_id = $1 and visitor_id = $2 and deleted_at is null and last_received_at > now() - make_interval(secs => $3)
            order by last_received_at desc limit 1`,
    values: [siteId, visitorId, VISIT_PAUSE_SECONDS],
  });
  return rows[0]?.group ?? null;
}

/** Counts the recordings that a site has begun on the current day (Moscow time), including removed ones. */
export async function countRecordings(pool: Queryable, siteId: string): Promise<RecordingsOfDay> {
  const {
    rows: [counts],
  } = await pool.query<RecordingsOfDay>({
    name: 'recordings-of-day',
    text: `select coalesce(sum(recordings), 0)::int as begun, count(*) filter (where is_counted)::int as counted,
                  count(*) filter (where is_young and not is_counted)::int as young
             from (select count(*) as recordings, bool_or(is_counted) as is_counted,
                          bool_or(deleted_at is null and last_received_at > now() - make_interval(secs => $2)) as is_young
                     from site_recordings where site_id = $1 and day = (now() at time zone 'Europe/Moscow')::date
                    group by coalesce(visit_group, recording_id)) as visits`,
    values: [siteId, YOUNG_SECONDS],
  });
  if (!counts) throw new Error('a count returned no row');
  return counts;
}

export interface NewChunk extends ChunkRef {
  /** A hash of the sender's address. */
  sender: string;
  startedAt: Date;
  endedAt: Date;
  events: number;
  bytes: number;
  blobKey: string;
  /** The marked events in it, and the time of its first event by the device's clock; null: it was not read. */
  marks: { from: number; list: readonly RecordingMark[] } | null;
}

/**
 * Stores a chunk whose blob is in the store; one that is already known is left as it is.
 * @returns false when the recording was removed or belongs to another visitor: then nothing refers to the blob
 */
export function insertChunk(pool: pg.Pool, chunk: NewChunk): Promise<boolean> {
  const { siteId, recordingId, visitorId, seq, startedAt, endedAt, events, bytes, blobKey, marks } = chunk;
  return inTransaction(pool, async (client) => {
    const { rowCount: live } = await client.query(
      'select from site_recordings where site_id = $1 and recording_id = $2 and visitor_id = $3 and deleted_at is null for no key update',
      [siteId, recordingId, visitorId],
    );
    if (live === 0) return false;
    const { rowCount: added } = await client.query(
      `insert into site_recording_chunks (site_id, recording_id, seq, started_at, ended_at, events, bytes, blob_key, marks)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [
        siteId,
        recordingId,
        seq,
        startedAt,
        endedAt,
        events,
        bytes,
        blobKey,
        marks && JSON.stringify({ from: marks.from, marks: marks.list }),
      ],
    );
    if (added === 1) {
      await addToRecording(client, chunk);
      await addRecordedBytes(client, siteId, chunk.sender, bytes);
    }
    return true;
  });
}

/** Adds those of `$11` that the recording does not have yet, up to `$12` in all; chunks arrive in almost any order. */
const WITH_PAGES = `pages || (array(
  select p from unnest($11::text[]) with ordinality as new (p, ordinal) where pages is null or p <> all (pages) order by ordinal
))[1:greatest(0, $12::int - coalesce(cardinality(pages), 0))]`;

/** The recording is counted when a chunk makes it 5 s long, or larger than any short one; it stays counted. */
async function addToRecording(
  client: Queryable,
  { siteId, recordingId, startedAt, endedAt, events, bytes, marks }: NewChunk,
): Promise<void> {
  const list = marks?.list ?? [];
  await client.query(
    `update site_recordings set
            started_at = least(started_at, $3), ended_at = greatest(ended_at, $4), last_received_at = now(),
            chunks = chunks + 1, events = events + $5, bytes = bytes + $6,
            clicks = clicks + $9, errors = errors + $10, pages = ${WITH_PAGES},
            is_counted = is_counted or greatest(ended_at, $4) - least(started_at, $3) >= make_interval(secs => $7::float8 / 1000) or chunks >= $8
      where site_id = $1 and recording_id = $2`,
    [
      siteId,
      recordingId,
      startedAt,
      endedAt,
      events,
      bytes,
      COUNTED_MS,
      SHORT_MAX_CHUNKS,
      countMarks(list, 'click'),
      countMarks(list, 'error'),
      pagesOf(list),
      MAX_PAGES,
    ],
  );
}

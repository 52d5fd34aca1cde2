/** Session recordings as the cabinet lists them. */
import { VISIT_PAUSE_SECONDS } from '../../domain/visits/visitPause.ts';
import { addressPartPattern } from '../../domain/visits/addresses/readableAddresses.ts';
import type { Queryable } from '../pool.ts';
import { LIFE } from './lifetime.ts';

export interface StoredRecording {
  id: string;
  visitorId: string;
  createdAt: Date;
  startedAt: Date;
  endedAt: Date;
  chunks: number;
  events: number;
  bytes: number;
  userAgent: string | null;
  isFavourite: boolean;
  expiresAt: Date;
  /** The visit to which it belongs; null while that is being ingested, or when there is none. */
  visitId: string | null;
  entryPage: string | null;
  sourceType: string | null;
  sourceName: string | null;
  /** The addresses that it shows; null: none of its chunks was read. */
  pages: string[] | null;
  clicks: number;
  errors: number;
  /** Number of conversions of the visit. */
  goals: number;
}

export interface StoredChunk {
  seq: number;
  startedAt: Date;
  endedAt: Date;
  events: number;
  bytes: number;
}

const COLUMNS = `r.recording_id as id, r.visitor_id as "visitorId", r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt",
  r.chunks, r.events::float8 as events, r.bytes::float8 as bytes, r.user_agent as "userAgent", r.is_favourite as "isFavourite", r.created_at + ${LIFE} as "expiresAt",
  v.visit_id as "visitId", v.entry_page as "entryPage", v.source_type as "sourceType", v.source_name as "sourceName",
  r.pages, r.clicks, r.errors, coalesce(v.goals, 0) as goals`;

/** Every recording `r` with its site `s` and the visit `v` during which it was made. */
const FROM = `site_recordings r join sites s on s.id = r.site_id left join lateral (
  select w.visit_id, w.goals, w.state #>> '{row,entry_url}' as entry_page, w.state #>> '{row,exit_url}' as exit_page,
         w.state #>> '{row,source_last,source_type}' as source_type, w.state #>> '{row,source_last,source_name}' as source_name
    from site_visits w
   where w.site_id = r.site_id and w.visitor_id = r.visitor_id and w.started_at <= r.ended_at
     and w.last_hit_at >= r.started_at - make_interval(secs => ${VISIT_PAUSE_SECONDS})
   order by w.started_at desc limit 1) v on true`;

/** A recording `r` that has begun but has no stored chunk is not shown. */
export const IS_SHOWN = 'r.deleted_at is null and r.chunks > 0';

export interface RecordingFilter {
  visitorId: string | null;
  since: Date | null;
  until: Date | null;
  /** Null means all. */
  isFavourite: boolean | null;
  visitId: string | null;
  /** A part of the address of a page that it shows, or of the visit's first or last page, case-insensitive. */
  page: string | null;
  sourceType: string | null;
  sourceName: string | null;
  minSeconds: number | null;
  maxSeconds: number | null;
  /** The code of a goal that the visit has reached. */
  goal: string | null;
  /** Null means all. */
  hasErrors: boolean | null;
  /** Only recordings of these visits; null means all. */
  visitIds: readonly string[] | null;
}

/** A position in the list. Microseconds matter, so the time is PostgreSQL text. */
export interface RecordingPosition {
  createdAt: string;
  id: string;
}

/**
 * Returns recordings, the newest first, by the receipt of their first chunk, to which `since` and `until` (exclusive)
 * also apply. Every condition is checked row by row along the index of the list: a site has at most as many rows as its
 * quota lets it begin recordings within `recording_days`.
 */
export async function listRecordings(
  pool: Queryable,
  siteId: string,
  filter: RecordingFilter,
  page: { after: RecordingPosition | null; limit: number },
): Promise<(StoredRecording & { position: string })[]> {
  const { rows } = await pool.query<StoredRecording & { position: string }>(
    `select ${COLUMNS}, to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
       from ${FROM}
      where r.site_id = $1 and ${IS_SHOWN}
        and ($2::uuid is null or r.visitor_id = $2) and ($3::timestamptz is null or r.created_at >= $3) and ($4::timestamptz is null or r.created_at < $4)
        and ($5::boolean is null or r.is_favourite = $5)
        and ($6::timestamptz is null or (r.created_at, r.recording_id) < ($6, $7))
        and ($9::uuid is null or v.visit_id = $9) and ($10::text is null or v.source_type = $10) and ($11::text is null or v.source_name = $11)
        and ($12::text is null or ${SHOWS_PAGE})
        and ($13::float8 is null or r.ended_at - r.started_at >= make_interval(secs => $13))
        and ($14::float8 is null or r.ended_at - r.started_at <= make_interval(secs => $14))
        and ($15::text is null or ${HAS_GOAL})
        and ($16::boolean is null or (r.errors > 0) = $16)
        and ($17::uuid[] is null or v.visit_id = any($17))
      order by r.created_at desc, r.recording_id desc limit $8`,
    [
      siteId,
      filter.visitorId,
      filter.since,
      filter.until,
      filter.isFavourite,
      page.after?.createdAt ?? null,
      page.after?.id ?? null,
      page.limit,
      filter.visitId,
      filter.sourceType,
      filter.sourceName,
      filter.page === null ? null : addressPartPattern(filter.page),
      filter.minSeconds,
      filter.maxSeconds,
      filter.goal,
      filter.hasErrors,
      filter.visitIds,
    ],
  );
  return rows;
}

/** `$12` is the pattern of a part of an address of the recording or of its visit. */
const SHOWS_PAGE = `(lower(v.entry_page) ~ $12 or lower(v.exit_page) ~ $12 or exists (select from unnest(r.pages) p where lower(p) ~ $12))`;

/** Uses the visitor's index of conversions, so that a page of recordings reads only those of their visits. */
const HAS_GOAL = `exists (select from site_conversions c
          where c.site_id = r.site_id and c.visitor_id = r.visitor_id and c.visit_id = v.visit_id and c.goal = $15)`;

/** Returns null when the site has no such recording. */
export async function findRecording(pool: Queryable, siteId: string, id: string): Promise<StoredRecording | null> {
  const { rows } = await pool.query<StoredRecording>(
    `select ${COLUMNS} from ${FROM} where r.site_id = $1 and r.recording_id = $2 and ${IS_SHOWN}`,
    [siteId, id],
  );
  return rows[0] ?? null;
}

/** Returns all received chunks, by number. */
export async function listChunks(pool: Queryable, siteId: string, id: string): Promise<StoredChunk[]> {
  const { rows } = await pool.query<StoredChunk>(
    `select seq, started_at as "startedAt", ended_at as "endedAt", events, bytes from site_recording_chunks where site_id = $1 and recording_id = $2 order by seq`,
    [siteId, id],
  );
  return rows;
}

/** Returns the key of a chunk's blob; null when there is no such chunk. */
export async function findChunkBlob(pool: Queryable, siteId: string, id: string, seq: number): Promise<string | null> {
  const { rows } = await pool.query<{ blobKey: string }>(
    'select blob_key as "blobKey" from site_recording_chunks where site_id = $1 and recording_id = $2 and seq = $3',
    [siteId, id, seq],
  );
  return rows[0]?.blobKey ?? null;
}

/**
 * Returns the blob keys of chunks from a number on, in order: as many as fit into `maxBytes` together, and at least
 * one.
 */
export async function listChunkBlobs(
  pool: Queryable,
  siteId: string,
  id: string,
  from: number,
  maxBytes: number,
): Promise<{ seq: number; blobKey: string }[]> {
  const { rows } = await pool.query<{ seq: number; blobKey: string }>(
    `select seq, blob_key as "blobKey"
       from (select seq, blob_key, sum(bytes) over (order by seq) as total, row_number() over (order by seq) as ordinal
               from site_recording_chunks where site_id = $1 and recording_id = $2 and seq >= $3) c
      where total <= $4 or ordinal = 1 order by seq`,
    [siteId, id, from, maxBytes],
  );
  return rows;
}

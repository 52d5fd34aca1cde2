/** The statements of the media steps, each of which reads or stores one medium. */
import type pg from 'pg';
import { PREPARE_MODEL } from '../../domain/analysis/stepModels.ts';
import type { MediaKind, StepError } from '../../domain/analysis/steps.ts';
import type { MissingPart } from '../../domain/items/errorCodes.ts';
import type { FrameDescription, Provenance, Transcript } from '../../domain/analysis/results.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { discardNamedBlobs, keepBlobs } from '../blobGarbage.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { setMediumState } from './mediumStatus.ts';
import { lockForResult } from './results/fence.ts';
import { storable } from './results/storable.ts';

export interface StoredMedium {
  kind: MediaKind;
  url: string;
  position: number;
  durationSec: number | null;
  audioKey: string | null;
  subtitlesKey: string | null;
  /** How many times the step was deferred. */
  deferrals: number;
  /** Code of the fault that last deferred it; null if none did. */
  deferredFor: string | null;
}

/** Reads a medium that still needs the step; null when it is done, outdated or removed. */
export async function readMediumTodo(pool: Queryable, ref: MediumWork): Promise<StoredMedium | null> {
  const { rows } = await pool.query<StoredMedium & { todo: boolean }>(
    `select m.kind, m.url, m.position, m.duration_sec as "durationSec", m.audio_key as "audioKey",
            m.subtitles_key as "subtitlesKey", (i.steps -> $4 ->> 'deferrals')::int as deferrals,
            i.steps -> $4 #>> '{error,code}' as "deferredFor",
            to_jsonb(m) ->> $4 = 'todo' as todo
       from item_media m join items i on i.project_id = m.project_id and i.id = m.item_id
      where m.project_id = $1 and m.item_id = $2 and m.medium_id = $3
        and not i.deleted and (i.steps -> $4 ->> 'revision')::bigint = $5`,
    [ref.projectId, ref.itemId, ref.mediumId, ref.step, ref.revision],
  );
  const [row] = rows;
  if (!row?.todo) return null;
  const { todo: _todo, ...medium } = row;
  return medium;
}

export interface PreparedFrame {
  ts: number;
  blobKey: string;
  duplicateOfTs: number | null;
  flat: boolean;
}

export interface PreparedMediumRow {
  durationSec: number | null;
  width: number | null;
  height: number | null;
  truncated: boolean;
  audioKey: string | null;
  subtitlesKey: string | null;
  frames: PreparedFrame[];
  /** The reason why a part of the medium was left out. */
  loss?: Pick<StepError, 'code' | 'message'> | null;
}

/** Stores the result of `prepare` for a medium. False when the result was outdated or already stored. */
export function storePrepared(pool: pg.Pool, ref: MediumWork, prepared: PreparedMediumRow): Promise<boolean> {
  return storeMedium(pool, ref, async (client) => {
    await discardNamedBlobs(client, ref);
    await client.query(
      `update item_media set status = 'ready', prepare = 'done', duration_sec = $4, width = $5, height = $6, truncated = $7,
              audio_key = $8, subtitles_key = $9, errors = jsonb_strip_nulls(jsonb_build_object('prepare', $11::jsonb)), models = models || '{"prepare": "${PREPARE_MODEL}"}',
              speech = case when kind = 'image' then 'skipped' else speech end,
              vision = case when $10 then vision else 'skipped' end
        where project_id = $1 and item_id = $2 and medium_id = $3`,
      [
        ref.projectId,
        ref.itemId,
        ref.mediumId,
        prepared.durationSec,
        prepared.width,
        prepared.height,
        prepared.truncated,
        prepared.audioKey,
        prepared.subtitlesKey,
        prepared.frames.length > 0,
        prepared.loss ?? null,
      ],
    );
    await client.query('delete from item_frames where project_id = $1 and item_id = $2 and medium_id = $3', [
      ref.projectId,
      ref.itemId,
      ref.mediumId,
    ]);
    await client.query('delete from item_transcripts where project_id = $1 and item_id = $2 and medium_id = $3', [
      ref.projectId,
      ref.itemId,
      ref.mediumId,
    ]);
    await insertFrames(client, ref, prepared.frames);
    await keepBlobs(client, ref.projectId, keysOf(prepared));
  });
}

function keysOf({ audioKey, subtitlesKey, frames }: PreparedMediumRow): string[] {
  return [audioKey, subtitlesKey, ...frames.map((frame) => frame.blobKey)].filter((key) => key !== null);
}

async function insertFrames(client: pg.PoolClient, ref: MediumWork, frames: readonly PreparedFrame[]): Promise<void> {
  await client.query(
    `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, duplicate_of_ts, flat)
     select $1, $2, $3, f.* from unnest($4::float8[], $5::text[], $6::float8[], $7::bool[]) as f`,
    [
      ref.projectId,
      ref.itemId,
      ref.mediumId,
      frames.map((frame) => frame.ts),
      frames.map((frame) => frame.blobKey),
      frames.map((frame) => frame.duplicateOfTs),
      frames.map((frame) => frame.flat),
    ],
  );
}

/**
 * Stores a transcript. False when the result was outdated.
 * @param end the model, and why the transcript is partial
 */
export function storeTranscript(
  pool: pg.Pool,
  ref: MediumWork,
  transcript: Transcript,
  provenance: Provenance,
  { model = null, error = null }: { model?: string | null; error?: EndError<'done'> | null } = {},
): Promise<boolean> {
  return storeMedium(pool, ref, async (client) => {
    await client.query(
      `insert into item_transcripts (project_id, item_id, medium_id, language, timestamps, text, segments, provenance)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (project_id, item_id, medium_id) do update set language = excluded.language, timestamps = excluded.timestamps,
              text = excluded.text, segments = excluded.segments, provenance = excluded.provenance`,
      [
        ref.projectId,
        ref.itemId,
        ref.mediumId,
        transcript.language,
        transcript.timestamps,
        storable(transcript.text),
        JSON.stringify(storable(transcript.segments)),
        // Kept beside the provenance for the moderation; nobody else reads it.
        { ...provenance, ...(transcript.isPartial && { isPartial: true }) },
      ],
    );
    await setMediumState(client, ref, 'done', error, model);
  });
}

export interface FrameToDescribe {
  ts: number;
  blobKey: string;
}

/** SQL condition on a row of item_frames: it is worth describing, being neither a duplicate nor of a single colour. */
export const IS_WORTH_DESCRIBING = 'duplicate_of_ts is null and not flat';

/** Returns the frames of a medium that are worth describing. */
export async function readFramesToDescribe(pool: Queryable, ref: MediumWork): Promise<FrameToDescribe[]> {
  const { rows } = await pool.query<{ ts: number; blob_key: string }>(
    `select ts, blob_key from item_frames
      where project_id = $1 and item_id = $2 and medium_id = $3 and ${IS_WORTH_DESCRIBING} order by ts`,
    [ref.projectId, ref.itemId, ref.mediumId],
  );
  return rows.map((row) => ({ ts: row.ts, blobKey: row.blob_key }));
}

/** Stores descriptions by frame time; the vision step of the medium continues. False when outdated. */
export function storeFrameDescriptions(
  pool: pg.Pool,
  ref: MediumWork,
  frames: readonly (FrameDescription & { ts: number })[],
  provenance: Provenance,
): Promise<boolean> {
  return storeMedium(pool, ref, async (client) => {
    await client.query(
      `update item_frames f set description = d.description, ocr_text = d.ocr_text, tags = d.tags, safety = d.safety, provenance = $5
         from jsonb_to_recordset($4) as d (ts float8, description text, ocr_text text, tags text[], safety jsonb)
        where f.project_id = $1 and f.item_id = $2 and f.medium_id = $3 and f.ts = d.ts`,
      [
        ref.projectId,
        ref.itemId,
        ref.mediumId,
        JSON.stringify(
          frames.map((frame) =>
            storable({
              ts: frame.ts,
              description: frame.description,
              ocr_text: frame.ocrText,
              tags: frame.tags,
              safety: frame.safety,
            }),
          ),
        ),
        provenance,
      ],
    );
  });
}

/** Why a step ended as it did. A finished step can only lack a part. */
interface EndError<State> {
  code: State extends 'done' ? MissingPart : string;
  message: string;
}

/**
 * Ends a step for one medium whose results, if any, are already stored. False when outdated.
 * @param model the model that computed the results
 */
export function endMediumStep<State extends 'done' | 'skipped' | 'failed'>(
  pool: pg.Pool,
  ref: MediumWork,
  state: State,
  error: EndError<State> | null,
  model: string | null = null,
): Promise<boolean> {
  return storeMedium(pool, ref, (client) => setMediumState(client, ref, state, error, model));
}

/** Fails the step for every medium that still needs it, because the deferral schedule is exhausted. */
export async function failRemainingMedia(
  client: pg.PoolClient,
  ref: Omit<MediumWork, 'mediumId'>,
  error: Pick<StepError, 'code' | 'message'>,
): Promise<void> {
  for (const mediumId of await remainingMedia(client, ref))
    await setMediumState(client, { ...ref, mediumId }, 'failed', error);
}

/** Returns the media that still need the step, in list order. */
export async function remainingMedia(client: pg.PoolClient, ref: Omit<MediumWork, 'mediumId'>): Promise<string[]> {
  const { rows } = await client.query<{ mediumId: string }>(
    `select medium_id as "mediumId" from item_media m
      where project_id = $1 and item_id = $2 and to_jsonb(m) ->> $3 = 'todo' order by position`,
    [ref.projectId, ref.itemId, ref.step],
  );
  return rows.map(({ mediumId }) => mediumId);
}

function storeMedium(
  pool: pg.Pool,
  ref: MediumWork,
  write: (client: pg.PoolClient) => Promise<void>,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const item = await lockForResult(client, ref, ref.step, ref.revision);
    if (!item || !(await isTodo(client, ref))) return false;
    await write(client);
    return true;
  });
}

/** Returns true when the medium still exists and still needs the step. The item's lock keeps this true. */
async function isTodo(client: pg.PoolClient, ref: MediumWork): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from item_media m where project_id = $1 and item_id = $2 and medium_id = $3 and to_jsonb(m) ->> $4 = 'todo'`,
    [ref.projectId, ref.itemId, ref.mediumId, ref.step],
  );
  return rowCount === 1;
}

/** The input of the summary and the embedding, and the storage of their results. */
import type pg from 'pg';
import { withoutMeasures } from '../../domain/analysis/measuredFrames.ts';
import { isMediaStep, ITEM_STEPS, type ItemStep, type ItemType, type MediaKind } from '../../domain/analysis/steps.ts';
import type {
  FrameDescription,
  MediumChapter,
  Moderation,
  Provenance,
  Summary,
  TranscriptSegment,
} from '../../domain/analysis/results.ts';
import type { ExaminedMedium } from '../../domain/analysis/safety/missingEvidence.ts';
import { itemVector } from '../../domain/output/vectors.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { IS_SUMMARY_CURRENT } from '../currentResults.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import { inTransaction, together, type Queryable } from '../pool.ts';
import { lockForResult, type AnalysedItem } from './fence.ts';
import { IS_WORTH_A_LOOK } from './media.ts';
import { replacePictureVectors } from './pictureVectors.ts';
import { storable } from './storable.ts';

export interface Evidence {
  type: ItemType;
  /** ISO 639-1 code of the language to write in; null means the language of the evidence. */
  language: string | null;
  /** The topics to choose from; empty means any topic. */
  topics: string[];
  title: string | null;
  description: string | null;
  body: string | null;
  /** In the order of the media. */
  transcripts: { mediumId: string; durationSec: number | null; text: string; segments: TranscriptSegment[] }[];
  /** The prepared videos and sound recordings, in the order of the media. */
  recordings: {
    mediumId: string;
    durationSec: number | null;
    /** Folder of the files that were prepared from it; null if there are none. */
    folder: string | null;
  }[];
  /** Described frames, in the order of media and time. */
  frames: (Pick<FrameDescription, 'description' | 'ocrText' | 'tags' | 'safety'> & {
    mediumId: string;
    kind: MediaKind;
    ts: number;
    blobKey: string;
    /** The description consists of measurements (domain/analysis/measuredFrames.ts). */
    isMeasured: boolean;
  })[];
  /**
   * Every picture that is worth describing, in the same order, including pictures that nobody described or that were
   * refused.
   */
  pictures: { mediumId: string; ts: number; blobKey: string }[];
  /** All media, with what is known about them, in their order. */
  media: ExaminedMedium[];
  /** The text of the finished summary, never of an older one. */
  summary: string | null;
  /** The chapters of the same summary. */
  chapters: MediumChapter[];
  /**
   * The moderation that an earlier attempt of the summary made at this revision; null when no provider was asked yet.
   */
  judgement: Judgement | null;
  /** How many times each step on the item was deferred. */
  deferrals: Record<ItemStep, number>;
  /** Code of the fault that last deferred the step summary; null if none did. */
  summaryDeferredFor: string | null;
}

/** A moderation and the model that made it. Both are null when the providers that were asked will never answer. */
export interface Judgement {
  moderation: Moderation | null;
  provenance: Provenance | null;
}

/** The chapters of the summary `s`, for media that the item still has, in the order of the media. */
const CHAPTERS = `
  coalesce((select jsonb_agg(jsonb_build_object('mediumId', m.medium_id, 'start', c.start, 'end', c."end", 'title', c.title) order by m.position, c.start)
              from jsonb_to_recordset(coalesce(nullif(s.summary -> 'chapters', 'null'), '[]')) as c (medium_id uuid, start float8, "end" float8, title text)
              join item_media m on m.project_id = i.project_id and m.item_id = i.id and m.medium_id = c.medium_id), '[]')`;

/** How many times each step on the item `i` was deferred. */
const DEFERRALS = `jsonb_build_object(${ITEM_STEPS.map((step) => `'${step}', i.steps #> '{${step},deferrals}'`).join(', ')})`;

/** The medium `m` has a soundtrack that could not be decoded. */
const IS_SOUND_LOST = `m.errors @> '{"prepare": {"code": "audio_unreadable"}}'`;

/** The folder of the files that were prepared from the medium `m`. */
const FILES_FOLDER = `
  substring(coalesce(m.audio_key, m.subtitles_key,
                     (select min(f.blob_key) from item_frames f
                       where f.project_id = m.project_id and f.item_id = m.item_id and f.medium_id = m.medium_id)) from '^(.+)/[^/]+$')`;

/**
 * Returns a statement that reads the evidence of an item. Its parameters are $1 project and $2 item.
 * @param also further columns of the item `i` and its project `p`, each after a comma
 * @param where a further condition on them
 */
export function selectEvidence(also = '', where = 'true'): string {
  return `select i.type, nullif(p.language, 'auto') as language, p.topics, i.title, i.description, i.body,
                 ${DEFERRALS} as deferrals, i.steps #>> '{summary,error,code}' as "summaryDeferredFor",
                 case when i.steps #>> '{summary,state}' = 'done' then s.summary ->> 'summary' end as summary,
                 case when i.steps #>> '{summary,state}' = 'done' then ${CHAPTERS} else '[]' end as chapters,
                 (select jsonb_build_object('moderation', m.moderation, 'provenance', m.provenance) from item_moderations m
                   where m.project_id = i.project_id and m.item_id = i.id and m.revision = (i.steps #>> '{summary,revision}')::bigint) as judgement,
                 coalesce((select jsonb_agg(jsonb_build_object('mediumId', t.medium_id, 'durationSec', m.duration_sec, 'text', t.text, 'segments', t.segments) order by m.position)
                             from item_transcripts t join item_media m using (project_id, item_id, medium_id)
                            where t.project_id = i.project_id and t.item_id = i.id and m.speech = 'done'), '[]') as transcripts,
                 coalesce((select jsonb_agg(jsonb_build_object('mediumId', m.medium_id, 'durationSec', m.duration_sec, 'folder', ${FILES_FOLDER}) order by m.position)
                             from item_media m
                            where m.project_id = i.project_id and m.item_id = i.id and m.kind <> 'image' and m.prepare = 'done'), '[]') as recordings,
                 coalesce((select jsonb_agg(jsonb_build_object('mediumId', f.medium_id, 'kind', m.kind, 'ts', f.ts, 'blobKey', f.blob_key,
                                                               'description', f.description, 'ocrText', f.ocr_text, 'tags', f.tags, 'safety', f.safety,
                                                               'isMeasured', coalesce(f.provenance ->> 'provider' = 'builtin', false))
                                            order by m.position, f.ts)
                             from item_frames f join item_media m using (project_id, item_id, medium_id)
                            where f.project_id = i.project_id and f.item_id = i.id and f.description is not null and m.vision = 'done'), '[]') as frames,
                 coalesce((select jsonb_agg(jsonb_build_object('mediumId', f.medium_id, 'ts', f.ts, 'blobKey', f.blob_key) order by m.position, f.ts)
                             from item_frames f join item_media m using (project_id, item_id, medium_id)
                            where f.project_id = i.project_id and f.item_id = i.id and m.prepare = 'done' and ${IS_WORTH_A_LOOK}), '[]') as pictures,
                 coalesce((select jsonb_agg(jsonb_build_object('isPrepared', m.prepare = 'done', 'isTruncated', m.truncated,
                                                               'hasSound', coalesce(m.audio_key, m.subtitles_key) is not null or ${IS_SOUND_LOST},
                                                               'isTranscribed', m.speech = 'done' and t.provenance -> 'isPartial' is null and not ${IS_SOUND_LOST})
                                            order by m.position)
                             from item_media m left join item_transcripts t using (project_id, item_id, medium_id)
                            where m.project_id = i.project_id and m.item_id = i.id), '[]') as media${also}
            from items i join projects p on p.id = i.project_id
                 left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id and ${IS_SUMMARY_CURRENT}
           where i.project_id = $1 and i.id = $2 and not i.deleted and ${where}`;
}

/** Reads everything known about an item that the text steps need; null when it does not exist or is deleted. */
export async function readEvidence(pool: Queryable, ref: ItemRef): Promise<Evidence | null> {
  const { rows } = await pool.query<Evidence>({
    name: 'evidence',
    text: selectEvidence(),
    values: [ref.projectId, ref.itemId],
  });
  return rows[0] ? withoutMeasures(rows[0]) : null;
}

/**
 * Replaces the stored summary and its chapters. Chapters are stored by medium id, because media may change their
 * positions.
 */
export async function replaceSummary(
  client: pg.PoolClient,
  ref: ItemRef,
  result: {
    summary: Summary;
    chapters?: readonly MediumChapter[];
    moderation: Moderation | null;
    provenance: Provenance;
  },
): Promise<void> {
  const { ageRating, ...summary } = result.summary;
  const chapters = (result.chapters ?? []).map(({ mediumId, ...chapter }) => ({ medium_id: mediumId, ...chapter }));
  await client.query({
    name: 'summary-replace',
    text: `insert into item_summaries (project_id, item_id, summary, provenance) values ($1, $2, $3, $4)
           on conflict (project_id, item_id) do update set summary = excluded.summary, provenance = excluded.provenance`,
    values: [
      ref.projectId,
      ref.itemId,
      storable({
        ...summary,
        age_rating: ageRating,
        moderation: result.moderation,
        ...(chapters.length > 0 && { chapters }),
      }),
      result.provenance,
    ],
  });
}

/** Replaces the stored moderation; null removes it, because no provider was asked. */
export async function replaceModeration(
  client: pg.PoolClient,
  ref: ItemRef,
  judgement: Judgement | null,
): Promise<void> {
  if (!judgement) {
    await client.query('delete from item_moderations where project_id = $1 and item_id = $2', [
      ref.projectId,
      ref.itemId,
    ]);
    return;
  }
  await client.query({
    name: 'moderation-replace',
    text: `insert into item_moderations (project_id, item_id, moderation, provenance) values ($1, $2, $3, $4)
           on conflict (project_id, item_id) do update set moderation = excluded.moderation, provenance = excluded.provenance`,
    values: [ref.projectId, ref.itemId, storable(judgement.moderation), judgement.provenance],
  });
}

/** Stores a moderation while its step continues. Does nothing when the step is outdated or finished. */
export function storeModeration(pool: pg.Pool, work: StepWork, judgement: Judgement | null): Promise<void> {
  return inTransaction(pool, async (client) => {
    if (await lockForResult(client, work, work.step, work.revision)) await replaceModeration(client, work, judgement);
  });
}

/** The fields of the item that a removal changes. */
type Removed = Partial<Pick<AnalysedItem, 'hasVectors'>>;

/** Removes the results of a step. A moderation of the same revision stays, because it is a result in its own right. */
const REMOVALS: Record<ItemStep, (client: pg.PoolClient, work: StepWork) => Promise<Removed>> = {
  async summary(client, { projectId, itemId, revision }) {
    await client.query(
      `with moderation as (delete from item_moderations where project_id = $1 and item_id = $2 and revision < $3)
       delete from item_summaries where project_id = $1 and item_id = $2`,
      [projectId, itemId, revision],
    );
    return {};
  },
  async embedding(client, work) {
    await replaceChunks(client, work, [], '');
    await replacePictureVectors(client, work, [], '');
    return { hasVectors: false };
  },
};

/**
 * Removes the results of earlier runs of a step that now ends without a result. Results of media are removed medium by
 * medium (media.ts).
 * @returns the fields of the item that the removal changes
 */
export async function removeResults(client: pg.PoolClient, work: StepWork): Promise<Removed> {
  return isMediaStep(work.step) ? {} : await REMOVALS[work.step](client, work);
}

export interface ChunkRow {
  mediumId: string | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
  /** Null where the vector of an earlier chunk covers the text; stored as an empty `bytea`. */
  vector: Float32Array | null;
  /** For a frame that shares one vector with others: the vector of its own text. */
  frameVector?: Float32Array | null;
}

const NO_VECTOR = Buffer.alloc(0);

/** Replaces every search chunk of an item. */
export async function replaceChunks(
  client: pg.PoolClient,
  ref: ItemRef,
  chunks: readonly ChunkRow[],
  model: string,
): Promise<void> {
  await together([deleteChunks(client, ref), ...(chunks.length > 0 ? [insertChunks(client, ref, chunks, model)] : [])]);
}

async function deleteChunks(client: pg.PoolClient, ref: ItemRef): Promise<void> {
  await client.query({
    name: 'chunks-delete',
    text: 'delete from item_chunks where project_id = $1 and item_id = $2',
    values: [ref.projectId, ref.itemId],
  });
}

async function insertChunks(
  client: pg.PoolClient,
  ref: ItemRef,
  chunks: readonly ChunkRow[],
  model: string,
): Promise<void> {
  await client.query({
    name: 'chunks-insert',
    text: `insert into item_chunks (project_id, item_id, ordinal, medium_id, start_sec, end_sec, text, vector, frame_vector, model)
           select $1, $2, c.*, $10 from unnest($3::int[], $4::uuid[], $5::float8[], $6::float8[], $7::text[], $8::bytea[], $9::bytea[]) as c`,
    values: [
      ref.projectId,
      ref.itemId,
      chunks.map((_, ordinal) => ordinal),
      chunks.map((chunk) => chunk.mediumId),
      chunks.map((chunk) => chunk.startSec),
      chunks.map((chunk) => chunk.endSec),
      chunks.map((chunk) => storable(chunk.text)),
      chunks.map(({ vector }) =>
        vector === null ? NO_VECTOR : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
      ),
      // Stored with eight bits per number, as searches compare vectors; null for a vector of zeros, which has no
      // direction.
      chunks.map(({ frameVector }) => {
        const direction = frameVector && itemVector([frameVector]);
        return direction && Buffer.from(direction.vector);
      }),
      model,
    ],
  });
}

/** What the summary and the embedding are computed from, and what they leave. */
import type pg from 'pg';
import type { ItemType, MediaKind } from '../../domain/steps.ts';
import type {
  FrameDescription,
  Moderation,
  Provenance,
  Summary,
  TranscriptSegment,
  Usage,
} from '../../domain/results.ts';
import { TEXT_SUBJECT } from '../../domain/volume.ts';
import type { ItemRef } from '../items/write.ts';
import type { Queryable } from '../pool.ts';
import { settleCtes } from '../volume.ts';
import type { DraftWork } from './drafts.ts';
import { storable } from './storable.ts';

export interface Evidence {
  type: ItemType;
  title: string | null;
  description: string | null;
  body: string | null;
  /** In the order of the media. */
  transcripts: { mediumId: string; text: string; segments: TranscriptSegment[] }[];
  /** Described frames, in the order of media and time. */
  frames: (Pick<FrameDescription, 'description' | 'ocrText' | 'tags'> & {
    mediumId: string;
    kind: MediaKind;
    ts: number;
    blobKey: string;
  })[];
  /** The summary text, once there is one. */
  summary: string | null;
}

/** Reads everything known about an item that text work needs; null when it is gone or deleted. */
export async function readEvidence(pool: Queryable, ref: ItemRef): Promise<Evidence | null> {
  const { rows } = await pool.query<Evidence>({
    name: 'evidence',
    text: `select i.type, i.title, i.description, i.body, s.summary ->> 'summary' as summary,
                  coalesce((select jsonb_agg(jsonb_build_object('mediumId', t.medium_id, 'text', t.text, 'segments', t.segments) order by m.position)
                              from item_transcripts t join item_media m using (project_id, item_id, medium_id)
                             where t.project_id = i.project_id and t.item_id = i.id), '[]') as transcripts,
                  coalesce((select jsonb_agg(jsonb_build_object('mediumId', f.medium_id, 'kind', m.kind, 'ts', f.ts, 'blobKey', f.blob_key,
                                                                'description', f.description, 'ocrText', f.ocr_text, 'tags', f.tags)
                                             order by m.position, f.ts)
                              from item_frames f join item_media m using (project_id, item_id, medium_id)
                             where f.project_id = i.project_id and f.item_id = i.id and f.description is not null), '[]') as frames
             from items i left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id
            where i.project_id = $1 and i.id = $2 and not i.deleted`,
    values: [ref.projectId, ref.itemId],
  });
  return rows[0] ?? null;
}

/** Replaces the stored summary, or removes it when there is nothing to summarise any more. */
export async function replaceSummary(
  client: pg.PoolClient,
  ref: ItemRef,
  result: { summary: Summary; moderation: Moderation | null; provenance: Provenance } | null,
): Promise<void> {
  if (!result) {
    await client.query('delete from item_summaries where project_id = $1 and item_id = $2', [
      ref.projectId,
      ref.itemId,
    ]);
    return;
  }
  const { ageRating, ...summary } = result.summary;
  await client.query({
    name: 'summary-replace',
    text: `insert into item_summaries (project_id, item_id, summary, provenance) values ($1, $2, $3, $4)
           on conflict (project_id, item_id) do update set summary = excluded.summary, provenance = excluded.provenance`,
    values: [
      ref.projectId,
      ref.itemId,
      storable({ ...summary, age_rating: ageRating, moderation: result.moderation }),
      result.provenance,
    ],
  });
}

export interface ChunkRow {
  mediumId: string | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
  vector: Float32Array;
}

/** Replaces every search chunk of an item. */
export async function replaceChunks(
  client: pg.PoolClient,
  ref: ItemRef,
  chunks: readonly ChunkRow[],
  model: string,
): Promise<void> {
  await client.query({
    name: 'chunks-delete',
    text: 'delete from item_chunks where project_id = $1 and item_id = $2',
    values: [ref.projectId, ref.itemId],
  });
  if (chunks.length === 0) return;
  await client.query({
    name: 'chunks-insert',
    text: `insert into item_chunks (project_id, item_id, ordinal, medium_id, start_sec, end_sec, text, vector, model)
           select $1, $2, c.*, $9 from unnest($3::int[], $4::uuid[], $5::float8[], $6::float8[], $7::text[], $8::bytea[]) as c`,
    values: [
      ref.projectId,
      ref.itemId,
      chunks.map((_, ordinal) => ordinal),
      chunks.map((chunk) => chunk.mediumId),
      chunks.map((chunk) => chunk.startSec),
      chunks.map((chunk) => chunk.endSec),
      chunks.map((chunk) => storable(chunk.text)),
      chunks.map((chunk) => Buffer.from(chunk.vector.buffer, chunk.vector.byteOffset, chunk.vector.byteLength)),
      model,
    ],
  });
}

/** Records what a provider call cost, and that the analysis of its subject is used up (db/volume.ts). */
export async function recordUsage(
  client: Queryable,
  work: DraftWork,
  provenance: Provenance,
  usage: Usage,
): Promise<void> {
  await client.query({
    name: 'usage-insert',
    text: `with ${settleCtes('$10', '$11')}
           insert into analysis_usage (project_id, item_id, step, provider, model, input_tokens, output_tokens, audio_seconds, images)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      work.projectId,
      work.itemId,
      work.step,
      provenance.provider,
      provenance.model,
      usage.inputTokens,
      usage.outputTokens,
      usage.audioSeconds,
      usage.images,
      work.mediumId ?? TEXT_SUBJECT,
      work.revision,
    ],
  });
}

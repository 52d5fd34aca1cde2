/** Reads an item with what the analysis found. */
import { statesOf, STEPS, type ItemStatus, type ItemType, type MediaKind, type Step, type StepError, type StepRecords, type StepStates } from '../../domain/steps.ts';
import type { ItemOrigin } from '../../domain/item.ts';
import type { Moderation, TranscriptSegment } from '../../domain/results.ts';
import type { Queryable } from '../pool.ts';

export interface ItemInclude {
  transcript: boolean;
  frames: boolean;
  searchChunks: boolean;
}

export interface StoredItem {
  id: string;
  type: ItemType;
  title: string | null;
  description: string | null;
  author: string | null;
  url: string | null;
  publishedAt: Date;
  properties: Record<string, unknown> | null;
  origin: ItemOrigin;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  processing: StepStates;
  /** Failed and deferred steps only. */
  processingErrors: Partial<Record<Step, StepError>>;
  updatedAt: Date;
  media: StoredItemMedium[];
  summary: StoredSummary | null;
  /** Undefined unless asked for; null when there is none. */
  transcript?: StoredTranscript[] | null;
  frames?: StoredFrame[] | null;
  searchChunks?: StoredChunk[] | null;
}

export interface StoredItemMedium {
  position: number;
  kind: MediaKind;
  url: string;
  durationSec: number | null;
  width: number | null;
  height: number | null;
  status: 'new' | 'ready' | 'failed';
}

/** As stored: already in the names of the API. */
export interface StoredSummary {
  summary: string;
  description: string | null;
  topics: string[];
  tags: string[];
  entities: Record<string, unknown>[];
  language: string | null;
  age_rating: '0+' | '6+' | '12+' | '16+' | '18+' | null;
  moderation: Moderation | null;
}

export interface StoredTranscript {
  mediaPosition: number;
  language: string | null;
  timestamps: 'model' | 'estimated';
  text: string;
  segments: TranscriptSegment[];
}

export interface StoredFrame {
  mediaPosition: number;
  ts: number;
  duplicateOfTs: number | null;
  /** Empty until the vision step has seen the frame. */
  description: string;
  ocrText: string | null;
  tags: string[] | null;
  safety: Record<string, unknown> | null;
  blobKey: string;
}

export interface StoredChunk {
  mediaPosition: number | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
}

interface ItemRow extends Omit<StoredItem, 'processing' | 'processingErrors'> {
  steps: StepRecords;
}

/** Reads one item, deleted ones included; null when the project has none of that id. */
export async function readItem(pool: Queryable, projectId: string, itemId: string, include: ItemInclude): Promise<StoredItem | null> {
  const { rows } = await pool.query<ItemRow>({
    name: 'item-read',
    text: `select i.id, i.type, i.title, i.description, i.author, i.url, i.published_at as "publishedAt", i.properties, i.origin,
                  i.available, i.deleted, i.status, i.steps, i.updated_at as "updatedAt", s.summary,
                  coalesce((select jsonb_agg(jsonb_build_object('position', m.position, 'kind', m.kind, 'url', m.url, 'durationSec', m.duration_sec,
                                                                'width', m.width, 'height', m.height, 'status', m.status) order by m.position)
                              from item_media m where m.project_id = i.project_id and m.item_id = i.id), '[]') as media
             from items i left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id
            where i.project_id = $1 and i.id = $2`,
    values: [projectId, itemId],
  });
  const row = rows[0];
  if (!row) return null;
  const { steps, ...item } = row;
  const details = { ...item, processing: statesOf(steps), processingErrors: await readErrors(pool, projectId, itemId, steps) };
  return {
    ...details,
    ...(include.transcript ? { transcript: nullIfEmpty(await readTranscripts(pool, projectId, itemId)) } : {}),
    ...(include.frames ? { frames: nullIfEmpty(await readFrames(pool, projectId, itemId)) } : {}),
    ...(include.searchChunks ? { searchChunks: nullIfEmpty(await readChunks(pool, projectId, itemId)) } : {}),
  };
}

async function readErrors(pool: Queryable, projectId: string, itemId: string, steps: StepRecords): Promise<Partial<Record<Step, StepError>>> {
  const wrong = STEPS.filter((step) => steps[step].state === 'failed' || steps[step].state === 'deferred');
  if (wrong.length === 0) return {};
  const byMedia = await readMediaErrors(pool, projectId, itemId);
  const errors: Partial<Record<Step, StepError>> = {};
  for (const step of wrong) {
    // A step that was put off tells what it waits for, though one of its media may have failed for good.
    const error = (steps[step].state === 'failed' ? byMedia[step] : undefined) ?? steps[step].error;
    if (error) errors[step] = error;
  }
  return errors;
}

/** For each media step, the error of its first failed medium, with the place where it stands now. */
async function readMediaErrors(pool: Queryable, projectId: string, itemId: string): Promise<Partial<Record<Step, StepError>>> {
  const { rows } = await pool.query<{ step: Step; error: StepError }>(
    `select distinct on (e.key) e.key as step, e.value || jsonb_build_object('media_position', m.position) as error
       from item_media m cross join lateral jsonb_each(m.errors) e
      where m.project_id = $1 and m.item_id = $2 and to_jsonb(m) ->> e.key = 'failed'
      order by e.key, m.position`,
    [projectId, itemId],
  );
  return Object.fromEntries(rows.map((row) => [row.step, row.error]));
}

async function readTranscripts(pool: Queryable, projectId: string, itemId: string): Promise<StoredTranscript[]> {
  const { rows } = await pool.query<StoredTranscript>(
    `select m.position as "mediaPosition", t.language, t.timestamps, t.text, t.segments
       from item_transcripts t join item_media m using (project_id, item_id, medium_id)
      where t.project_id = $1 and t.item_id = $2 order by m.position`,
    [projectId, itemId],
  );
  return rows;
}

/** A duplicate shows what was found in its original. */
async function readFrames(pool: Queryable, projectId: string, itemId: string): Promise<StoredFrame[]> {
  const { rows } = await pool.query<StoredFrame>(
    `select m.position as "mediaPosition", f.ts, f.duplicate_of_ts as "duplicateOfTs",
            coalesce(f.description, o.description, '') as description, coalesce(f.ocr_text, o.ocr_text) as "ocrText",
            coalesce(f.tags, o.tags) as tags, coalesce(f.safety, o.safety) as safety, f.blob_key as "blobKey"
       from item_frames f join item_media m using (project_id, item_id, medium_id)
       left join item_frames o on o.project_id = f.project_id and o.item_id = f.item_id and o.medium_id = f.medium_id and o.ts = f.duplicate_of_ts
      where f.project_id = $1 and f.item_id = $2 order by m.position, f.ts`,
    [projectId, itemId],
  );
  return rows;
}

async function readChunks(pool: Queryable, projectId: string, itemId: string): Promise<StoredChunk[]> {
  const { rows } = await pool.query<StoredChunk>(
    `select m.position as "mediaPosition", c.start_sec as "startSec", c.end_sec as "endSec", c.text
       from item_chunks c left join item_media m using (project_id, item_id, medium_id)
      where c.project_id = $1 and c.item_id = $2 order by c.ordinal`,
    [projectId, itemId],
  );
  return rows;
}

function nullIfEmpty<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null;
}

/** Reads an item with the results of its analysis. */
import {
  statesOf,
  withAllSteps,
  type MediaKind,
  type StepRecords,
  type StepStates,
} from '../../domain/analysis/steps.ts';
import type { Chapter, Moderation, TranscriptSegment } from '../../domain/analysis/results.ts';
import type { Queryable } from '../pool.ts';
import { IS_CHUNK_CURRENT, JOIN_RESULTS, MODERATION } from '../currentResults.ts';
import { selectAllBut, type StoredColumns } from './columns.ts';
import { errorsOf, MEDIA_ERRORS, type ProcessingErrors } from '../analysis/processingErrors.ts';

export interface ItemInclude {
  transcript: boolean;
  frames: boolean;
  searchChunks: boolean;
  body?: boolean;
}

export interface StoredItem extends Omit<StoredColumns, 'body' | 'revision' | 'requestId' | 'steps'> {
  processing: StepStates;
  /** The source of {@link processing}. */
  steps: StepRecords;
  /** The reasons of failed, deferred and skipped steps. */
  processingErrors: ProcessingErrors;
  updatedAt: Date;
  media: StoredItemMedium[];
  summary: StoredSummary | null;
  /** May be known even without a summary. */
  moderation: Moderation | null;
  /** Undefined unless requested; null when there is none. */
  transcript?: StoredTranscript[] | null;
  frames?: StoredFrame[] | null;
  searchChunks?: StoredChunk[] | null;
  /** Undefined unless requested. */
  body?: string | null;
}

export interface StoredItemMedium {
  mediumId: string;
  position: number;
  kind: MediaKind;
  url: string;
  version: string | null;
  durationSec: number | null;
  width: number | null;
  height: number | null;
  status: 'new' | 'ready' | 'failed';
}

/** In the field names of the API. */
export interface StoredSummary {
  summary: string;
  description: string | null;
  topics: string[];
  tags: string[];
  entities: Record<string, unknown>[];
  language: string | null;
  age_rating: '0+' | '6+' | '12+' | '16+' | '18+' | null;
  moderation: Moderation | null;
  /** Absent when no medium has chapters; in the order of the media. */
  chapters?: (Chapter & { media_position: number })[];
}

/** As stored: a medium keeps its chapters wherever it moves. */
interface SummaryRow extends Omit<StoredSummary, 'chapters'> {
  chapters?: (Chapter & { medium_id: string })[];
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
  /** Empty until the vision step has described the frame. */
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

interface ItemRow extends Omit<
  StoredItem,
  'processing' | 'processingErrors' | 'steps' | 'summary' | 'transcript' | 'frames' | 'searchChunks' | 'body'
> {
  summary: SummaryRow | null;
  steps: Partial<StepRecords>;
  mediaErrors: ProcessingErrors | null;
  transcript: StoredTranscript[] | null;
  frames: StoredFrame[] | null;
  searchChunks: StoredChunk[] | null;
  body: string | null;
}

/** The columns that answers show; the body is added on request. */
const SHOWN = selectAllBut('body', 'revision', 'requestId');

const MEDIA = `
  select jsonb_agg(jsonb_build_object('mediumId', m.medium_id, 'position', m.position, 'kind', m.kind, 'url', m.url, 'version', m.version, 'durationSec', m.duration_sec,
                                      'width', m.width, 'height', m.height, 'status', m.status) order by m.position)
    from item_media m where m.project_id = i.project_id and m.item_id = i.id`;

const TRANSCRIPTS = `
  select jsonb_agg(jsonb_build_object('mediaPosition', m.position, 'language', t.language, 'timestamps', t.timestamps,
                                      'text', t.text, 'segments', t.segments) order by m.position)
    from item_transcripts t join item_media m using (project_id, item_id, medium_id)
   where t.project_id = i.project_id and t.item_id = i.id`;

/** A duplicate shows the description of its original. */
const FRAMES = `
  select jsonb_agg(jsonb_build_object('mediaPosition', m.position, 'ts', f.ts, 'duplicateOfTs', f.duplicate_of_ts,
                                      'description', coalesce(f.description, o.description, ''), 'ocrText', coalesce(f.ocr_text, o.ocr_text),
                                      'tags', coalesce(f.tags, o.tags), 'safety', coalesce(f.safety, o.safety),
                                      'blobKey', f.blob_key) order by m.position, f.ts)
    from item_frames f join item_media m using (project_id, item_id, medium_id)
    left join item_frames o on o.project_id = f.project_id and o.item_id = f.item_id and o.medium_id = f.medium_id and o.ts = f.duplicate_of_ts
   where f.project_id = i.project_id and f.item_id = i.id`;

const CHUNKS = `
  select jsonb_agg(jsonb_build_object('mediaPosition', m.position, 'startSec', c.start_sec, 'endSec', c.end_sec, 'text', c.text) order by c.ordinal)
    from item_chunks c left join item_media m using (project_id, item_id, medium_id)
   where c.project_id = i.project_id and c.item_id = i.id and ${IS_CHUNK_CURRENT}`;

/**
 * Reads one item, even a deleted one; null when the project has none with that id. It is one statement, so that its
 * parts are from the same moment: no new frames beside older states.
 */
export async function readItem(
  pool: Queryable,
  projectId: string,
  itemId: string,
  include: ItemInclude,
): Promise<StoredItem | null> {
  const { rows } = await pool.query<ItemRow>({
    name: 'item-read',
    text: `select ${SHOWN}, i.updated_at as "updatedAt", s.summary, ${MODERATION} as moderation,
                  coalesce((${MEDIA}), '[]') as media, (${MEDIA_ERRORS}) as "mediaErrors",
                  case when $3 then (${TRANSCRIPTS}) end as transcript, case when $4 then (${FRAMES}) end as frames,
                  case when $5 then (${CHUNKS}) end as "searchChunks", case when $6 then i.body end as body
             from items i ${JOIN_RESULTS}
            where i.project_id = $1 and i.id = $2`,
    values: [projectId, itemId, include.transcript, include.frames, include.searchChunks, include.body ?? false],
  });
  const row = rows[0];
  if (!row) return null;
  const { steps: stored, summary, mediaErrors, transcript, frames, searchChunks, body, ...item } = row;
  const steps = withAllSteps(stored);
  return {
    ...item,
    // The older summary of a repeated analysis may have been judged anew.
    summary: summary && { ...withPositions(summary, item.media), moderation: item.moderation },
    steps,
    processing: statesOf(steps),
    processingErrors: errorsOf(steps, mediaErrors),
    ...(include.transcript ? { transcript } : {}),
    ...(include.frames ? { frames } : {}),
    ...(include.searchChunks ? { searchChunks } : {}),
    ...(include.body ? { body } : {}),
  };
}

function withPositions({ chapters: stored = [], ...summary }: SummaryRow, media: StoredItem['media']): StoredSummary {
  const chapters = media.flatMap(({ mediumId, position }) =>
    stored
      .filter(({ medium_id: of }) => of === mediumId)
      .map(({ start, end, title }) => ({ media_position: position, start, end, title })),
  );
  return chapters.length > 0 ? { ...summary, chapters } : summary;
}

/** The evidence of an item: the input of the steps on the item. */
import { withoutMeasurements } from '../../domain/analysis/measuredFrames.ts';
import { ITEM_STEPS, type ItemStep, type ItemType, type MediaKind } from '../../domain/analysis/steps.ts';
import type { FrameDescription, MediumChapter, TranscriptSegment } from '../../domain/analysis/results.ts';
import type { ExaminedMedium } from '../../domain/analysis/safety/missingEvidence.ts';
import { IS_SUMMARY_CURRENT } from '../currentResults.ts';
import { LOSES_SOUND } from '../../domain/items/errorCodes.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import type { Queryable } from '../pool.ts';
import { IS_WORTH_DESCRIBING } from './mediaSteps.ts';
import type { Judgement } from './results/moderations.ts';

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

/** The chapters of the summary `s`, for media that the item still has, in the order of the media. */
const CHAPTERS = `
  coalesce((select jsonb_agg(jsonb_build_object('mediumId', m.medium_id, 'start', c.start, 'end', c."end", 'title', c.title) order by m.position, c.start)
              from jsonb_to_recordset(coalesce(nullif(s.summary -> 'chapters', 'null'), '[]')) as c (medium_id uuid, start float8, "end" float8, title text)
              join item_media m on m.project_id = i.project_id and m.item_id = i.id and m.medium_id = c.medium_id), '[]')`;

/** How many times each step on the item `i` was deferred. */
const DEFERRALS = `jsonb_build_object(${ITEM_STEPS.map((step) => `'${step}', i.steps #> '{${step},deferrals}'`).join(', ')})`;

/** The medium `m` has a soundtrack that could not be decoded. */
const IS_SOUND_LOST = `(${Object.entries(LOSES_SOUND)
  .flatMap(([code, isLost]) => (isLost ? [`m.errors @> '{"prepare": {"code": "${code}"}}'`] : []))
  .join(' or ')})`;

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
                            where f.project_id = i.project_id and f.item_id = i.id and m.prepare = 'done' and ${IS_WORTH_DESCRIBING}), '[]') as pictures,
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
  return rows[0] ? withoutMeasurements(rows[0]) : null;
}

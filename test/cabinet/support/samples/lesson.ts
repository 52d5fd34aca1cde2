/** An analysed lesson: a video with known words and frames. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { TestApi } from '../../../api/support/testApi.ts';
import { Analyst, mediaItem } from '../../../support/items/items.ts';

export const SEGMENTS = [
  { start: 0, end: 3, text: 'The wire brings the current.', speaker: null },
  { start: 3, end: 6, text: 'The motor turns the wheels.', speaker: null },
  { start: 6, end: 9, text: 'The rails take it back.', speaker: null },
  { start: 9, end: 12, text: 'The tram stops.', speaker: 'Guide' },
];
export const CHAPTERS = [
  { start: 0, end: 6, title: 'Current and motor' },
  { start: 6, end: 12, title: 'The way back' },
];
const FRAME_SECONDS = [0, 4, 8];

interface Lesson {
  id: string;
  title: string;
  videoUrl: string;
}

/**
 * Stores the lesson, or stores it again. The frames of the analysis, whose files do not exist, are replaced here; a
 * page that shows the lesson meanwhile may still read them.
 */
export async function storeLesson(
  { pool, blobDir }: Pick<TestApi, 'pool' | 'blobDir'>,
  projectId: string,
  { id, title, videoUrl }: Lesson,
): Promise<void> {
  const analyst = new Analyst(pool, projectId);
  const media = [{ kind: 'video' as const, url: videoUrl, version: null }];
  await analyst.put(id, mediaItem('video', media, { title, description: 'How a tram moves.', author: 'museum' }));
  await analyst.analyse(id);
  await pool.query('update item_transcripts set language = $3, segments = $4 where project_id = $1 and item_id = $2', [
    projectId,
    id,
    'en',
    JSON.stringify(SEGMENTS),
  ]);
  await pool.query(
    `update item_summaries s set summary = summary || jsonb_build_object('chapters',
            (select jsonb_agg(c || jsonb_build_object('medium_id', m.medium_id)) from jsonb_array_elements($3::jsonb) c))
       from item_media m where s.project_id = $1 and s.item_id = $2 and m.project_id = $1 and m.item_id = $2`,
    [projectId, id, JSON.stringify(CHAPTERS)],
  );
  await pool.query('delete from item_frames where project_id = $1 and item_id = $2', [projectId, id]);
  for (const ts of FRAME_SECONDS) {
    const key = `frames/${id}-${ts}.jpg`;
    await storeImage(join(blobDir, key));
    await pool.query(
      `insert into item_frames (project_id, item_id, medium_id, ts, blob_key, description, tags)
       select project_id, item_id, medium_id, $3, $4, $5, '{}' from item_media where project_id = $1 and item_id = $2`,
      [projectId, id, ts, key, `A picture at ${ts}`],
    );
  }
}

async function storeImage(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const image = sharp({ create: { width: 32, height: 18, channels: 3, background: '#224466' } });
  await writeFile(path, await image.jpeg().toBuffer());
}

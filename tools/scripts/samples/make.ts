/**
 * Regenerates the media of samples/: `node tools/scripts/samples/make.ts`. Needs ffmpeg (with libx264 and libmp3lame),
 * espeak-ng and the DejaVu fonts; see tools/samples/README.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLesson } from './lesson.ts';
import { makePhotograph } from './photograph.ts';
import { ANNOUNCEMENT } from './texts.ts';
import { findTools, type Tools } from './tools.ts';

const samplesDir = join(import.meta.dirname, '../../samples');

async function makeAnnouncement(tools: Tools, workDir: string, path: string): Promise<void> {
  const spoken = join(workDir, 'announcement.wav');
  await tools.speak(ANNOUNCEMENT, spoken);
  await tools.ffmpeg(['-i', spoken, '-c:a', 'libmp3lame', '-b:a', '48k', '-ac', '1', '-ar', '24000', path]);
}

const tools = findTools(process.env);
const workDir = await mkdtemp(join(tmpdir(), 'attune-samples-'));
try {
  await makePhotograph(tools, workDir, join(samplesDir, 'depot-sign.jpg'));
  await makeAnnouncement(tools, workDir, join(samplesDir, 'announcement.mp3'));
  await makeLesson(tools, workDir, join(samplesDir, 'tram-lesson.mp4'));
} finally {
  await rm(workDir, { recursive: true, force: true });
}

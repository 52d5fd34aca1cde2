/** Runs the built-in provider on pictures and videos, prepared as the product prepares them. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { analyseMedium } from '../../../activities/media/analyseMedium.ts';
import type { PreparedMedium } from '../../../activities/media/medium/preparedMedium.ts';
import { withoutMeasurements } from '../../../domain/analysis/measuredFrames.ts';
import { MODERATION_LEVELS, type FrameDescription, type Transcript } from '../../../domain/analysis/results.ts';
import { withWorkFolder } from '../../../platform/disk/workDir.ts';
import type { BuiltinProviders } from '../../../providers/builtin/index.ts';
import { ProviderError } from '../../../providers/errors.ts';
import type { Answer } from './compare.ts';
import type { Sample } from './samples.ts';
import { answerOf, summaryInput } from './texts.ts';
import { makeVideo } from './videos.ts';

const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };
const NOTHING: Answer = {
  tags: [],
  topics: [],
  people: [],
  organisations: [],
  places: [],
  summary: '',
  language: null,
  ocr: null,
};

export interface MediaTools {
  providers: BuiltinProviders;
  ffmpeg: string;
  /** Folder in which media are prepared. */
  workDir: string;
}

/** Contents of a sample's media, and the cost of looking at a picture. */
export interface MediaContents {
  frames: FrameDescription[];
  transcript: Transcript | null;
  /** Milliseconds of processor time for each frame, in order; the first one includes the start of the engines. */
  frameMs: number[];
}

/** Looks at all media of a sample. */
export function analyseMedia(sample: Sample, tools: MediaTools): Promise<MediaContents> {
  return withWorkFolder(tools.workDir, async (dir) => {
    if (sample.video !== undefined) {
      const path = join(dir, 'video.mp4');
      await makeVideo(tools.ffmpeg, sample.folder, sample.video, path);
      return analyseMediaFile(tools, path, 'video', join(dir, 'out'));
    }
    const all: MediaContents = { frames: [], transcript: null, frameMs: [] };
    for (const [at, file] of (sample.item.media ?? []).entries()) {
      const { frames, frameMs } = await analyseMediaFile(
        tools,
        join(sample.folder, file),
        'image',
        join(dir, `out-${at}`),
      );
      all.frames.push(...frames);
      all.frameMs.push(...frameMs);
    }
    return all;
  });
}

async function analyseMediaFile(
  tools: MediaTools,
  path: string,
  kind: 'image' | 'video',
  outDir: string,
): Promise<MediaContents> {
  await mkdir(outDir);
  const prepared = await analyseMedium({ path, kind, outDir, ffmpegPath: tools.ffmpeg });
  const contents: MediaContents = { frames: [], transcript: await read(tools, prepared, outDir), frameMs: [] };
  for (const { ts, file, duplicateOfTs, flat } of prepared.frames) {
    if (duplicateOfTs !== null || flat) continue;
    const before = process.cpuUsage();
    const frames = [{ id: String(ts), path: join(outDir, file) }];
    const input = { frames, language: null, mayBeRotated: kind === 'image' };
    contents.frames.push(...(await tools.providers.vision.run(input, CONTEXT)).value);
    const { user, system } = process.cpuUsage(before);
    contents.frameMs.push((user + system) / 1_000);
  }
  return contents;
}

async function read(
  { providers }: MediaTools,
  { subtitles, durationSec }: PreparedMedium,
  outDir: string,
): Promise<Transcript | null> {
  if (subtitles === null) return null;
  const input = { audioPath: null, subtitlesPath: join(outDir, subtitles), durationSec: durationSec ?? 0 };
  return (await providers.speech.run({ ...input, language: null }, CONTEXT)).value;
}

/** Combines what was seen and heard into an answer, as the product does. */
export async function answerMedia(
  sample: Sample,
  contents: MediaContents,
  { summary }: BuiltinProviders,
): Promise<Answer> {
  const measured = contents.frames.map((frame) => ({ ...frame, isMeasured: true }));
  const { frames } = withoutMeasurements({ frames: measured });
  const texts = frames.map(({ ocrText }) => ocrText).filter((text) => text !== null);
  const ocr = texts.join('\n');
  const item = { ...sample.item, transcripts: contents.transcript === null ? [] : [contents.transcript.text] };
  try {
    const { value } = await summary.run(summaryInput({ ...sample, item }, frames), CONTEXT);
    return answerOf(value, ocr);
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'no_content') return { ...NOTHING, ocr };
    throw error;
  }
}

/** Maps each category to the most severe level of all frames; null where a frame was not judged. */
export function safetyOf({ frames }: MediaContents): Record<string, unknown> {
  const categories = new Set(frames.flatMap(({ safety }) => Object.keys(safety ?? {})));
  return Object.fromEntries(
    [...categories].map((category) => {
      const levels = frames.map(({ safety }) => MODERATION_LEVELS.findIndex((level) => level === safety?.[category]));
      return [category, levels.includes(-1) ? null : MODERATION_LEVELS[Math.max(...levels)]];
    }),
  );
}

import { join } from 'node:path';
import type { FfmpegResult } from '../../platform/process/ffmpeg.ts';
import { AUDIO_FILE, audioOutputArgs, holdsSound } from './audio.ts';
import { runDecoder } from './ffmpegFaults.ts';
import { inputArgs } from './ffmpegInput.ts';
import { extractionMs } from './mediaLimits.ts';
import type { ProbedStream } from './parseProbe.ts';
import { progressSeconds } from './probe.ts';
import { checkSubtitles, SUBTITLE_FILE, SUBTITLE_INPUT_ARGS, subtitleOutputArgs } from './subtitles.ts';
import type { MediumContext } from './preparedMedium.ts';
import { frameOutputArgs } from './video.ts';

/** The outputs that one run extracts from a container; null ones are left out. */
export interface ExtractionPlan {
  demuxer: string;
  durationSec: number | null;
  /** The stream that the duration is measured by. */
  leading: ProbedStream;
  video: ProbedStream | null;
  audio: ProbedStream | null;
  /** The medium has sound, but maybe none that can be read. */
  hasSound: boolean;
  subtitles: ProbedStream | null;
}

export interface Extraction {
  result: FfmpegResult;
  audio: string | null;
  subtitles: string | null;
  /** The reason why subtitles that are there are not used. */
  subtitlesFault: 'subtitles_too_large' | 'subtitles_unreadable' | null;
  /** The time in the medium that the outputs reached, in seconds. */
  reachedSec: number;
}

/**
 * Decodes the medium once. Frames, sound and subtitles are outputs of that run, written to files in outDir, so that
 * memory does not grow with the medium.
 * @throws {MediaError} processing_timeout, decoder_unavailable, storage_full
 */
export async function extract(context: MediumContext, plan: ExtractionPlan): Promise<Extraction> {
  const { limits } = context;
  let reachedSec = 0;
  const result = await runDecoder({
    ffmpegPath: context.ffmpegPath,
    args: extractionArgs(context, plan),
    cwd: context.outDir,
    timeoutMs: extractionMs(plan.durationSec, limits),
    threads: limits.threads,
    memory: limits.memory,
    signal: context.signal,
    onLine: (line) => {
      reachedSec = Math.max(reachedSec, progressSeconds(line) ?? 0);
      if (line.startsWith('progress=')) context.onProgress({ stage: 'decode', doneSec: reachedSec });
    },
  });
  const audio = plan.audio !== null && (await holdsSound(join(context.outDir, AUDIO_FILE))) ? AUDIO_FILE : null;
  const cues = plan.subtitles === null ? 'none' : await checkSubtitles(join(context.outDir, SUBTITLE_FILE), limits);
  const subtitles = cues === 'cues' ? SUBTITLE_FILE : null;
  const subtitlesFault = cues === 'too_large' || cues === 'unreadable' ? (`subtitles_${cues}` as const) : null;
  return { result, audio, subtitles, subtitlesFault, reachedSec };
}

function extractionArgs(context: MediumContext, plan: ExtractionPlan): string[] {
  const { limits } = context;
  return [
    '-loglevel',
    'warning',
    '-nostats',
    '-progress',
    'pipe:1',
    '-stats_period',
    '0.2',
    ...(plan.subtitles === null ? [] : SUBTITLE_INPUT_ARGS),
    ...inputArgs(context.path, plan.demuxer, limits),
    ...(plan.video === null ? [] : frameOutputArgs(plan.video, plan.durationSec, limits)),
    ...(plan.audio === null ? [] : audioOutputArgs(plan.audio, limits)),
    ...(plan.subtitles === null ? [] : subtitleOutputArgs(plan.subtitles, limits)),
  ];
}

import { join } from 'node:path';
import type { FfmpegResult } from '../../../platform/process/decoders/ffmpeg.ts';
import { AUDIO_FILE, audioOutputArgs, holdsSound } from './audio.ts';
import { runDecoder } from './ffmpegFaults.ts';
import { inputArgs } from './ffmpegInput.ts';
import { extractionMs } from '../medium/mediaLimits.ts';
import type { ProbedStream } from './parseProbe.ts';
import { progressSeconds } from './probe.ts';
import { chooseSubtitles, SUBTITLE_INPUT_ARGS, subtitleOutputArgs, type ChosenSubtitles } from './subtitles.ts';
import type { MediumContext } from '../medium/preparedMedium.ts';
import { frameOutputArgs } from './candidateFrames.ts';

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
  /** Text tracks to choose from, the best one first. */
  subtitles: ProbedStream[];
}

export interface Extraction extends ChosenSubtitles {
  result: FfmpegResult;
  audio: string | null;
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
  const chosen = await chooseSubtitles(context.outDir, plan.subtitles, limits);
  return { result, audio, ...chosen, reachedSec };
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
    ...(plan.subtitles.length > 0 ? SUBTITLE_INPUT_ARGS : []),
    ...inputArgs(context.path, plan.demuxer, limits),
    ...(plan.video === null ? [] : frameOutputArgs(plan.video, plan.durationSec, limits)),
    ...(plan.audio === null ? [] : audioOutputArgs(plan.audio, limits)),
    ...subtitleOutputArgs(plan.subtitles, limits),
  ];
}

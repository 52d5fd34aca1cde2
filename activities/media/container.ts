import { audioStream } from './audio.ts';
import { MediaError, type MediaErrorCode } from './errors.ts';
import { extract, type Extraction, type ExtractionPlan } from './extract.ts';
import { decodingFault } from './ffmpegFaults.ts';
import { minimumGap } from './frameSelection.ts';
import type { Probe } from './parseProbe.ts';
import { measureDuration, probe, shownSize, videoStream } from './probe.ts';
import { subtitleStream } from './subtitles.ts';
import type { MediumContext, PreparedFrame, PreparedMedium } from './types.ts';
import { keepFrames, readCandidates } from './video.ts';

/** Containers that state their duration; for the others it is estimated from a bit rate. */
const STATED = new Set(['mov', 'matroska', 'avi', 'flac', 'wav', 'aiff']);

/**
 * Extracts frames, sound and subtitles from a video, or sound and subtitles from an audio medium. The container of an
 * audio medium may be a video's; its pictures are not decoded.
 * @throws {MediaError}
 */
export async function analyseContainer(
  context: MediumContext,
  kind: 'video' | 'audio',
  demuxer: string,
): Promise<PreparedMedium> {
  const found = await probe(context, demuxer);
  const plan = await planExtraction(context, kind, demuxer, found);
  const extraction = await extract(context, plan);
  const { frames, lastSec } = await takeFrames(context, plan, extraction);
  if (kind === 'audio' && extraction.audio === null) throw decodingFault(extraction.result);
  const { durationSec, truncated } = judgeLength(context, plan, Math.max(lastSec, extraction.reachedSec));
  const size = plan.video === null ? { width: null, height: null } : shownSize(plan.video);
  return {
    durationSec,
    ...size,
    truncated,
    audio: extraction.audio,
    subtitles: extraction.subtitles,
    frames,
    warnings: warningsOf(plan, extraction),
  };
}

async function planExtraction(
  context: MediumContext,
  kind: 'video' | 'audio',
  demuxer: string,
  found: Probe,
): Promise<ExtractionPlan> {
  const video = kind === 'video' ? videoStream(found, context.limits.videoPixels) : null;
  const audio = audioStream(found);
  if (kind === 'video' && video === null) throw new MediaError('no_video_stream');
  if (kind === 'audio' && audio === null) throw new MediaError('no_audio_stream');
  const leading = video ?? audio;
  const durationSec = found.durationSec ?? (leading === null ? null : await measureDuration(context, demuxer, leading));
  return { demuxer, durationSec, video, audio, subtitles: subtitleStream(found) };
}

async function takeFrames(
  context: MediumContext,
  plan: ExtractionPlan,
  extraction: Extraction,
): Promise<{ frames: PreparedFrame[]; lastSec: number }> {
  if (plan.video === null) return { frames: [], lastSec: 0 };
  const candidates = await readCandidates(context);
  if (candidates.length === 0) throw decodingFault(extraction.result);
  const frames = await keepFrames(context, candidates, plan.durationSec);
  return { frames, lastSec: candidates.at(-1)?.ts ?? 0 };
}

/**
 * Returns the duration to report, and whether the result covers only a part. A truncated file keeps its stated duration
 * but ends earlier; a file over the limit was not read to its end.
 */
function judgeLength(
  context: MediumContext,
  plan: ExtractionPlan,
  endSec: number,
): { durationSec: number | null; truncated: boolean } {
  const { durationSec: stated, video } = plan;
  const limit = context.limits.durationSec;
  if (stated === null) return { durationSec: endSec > 0 ? endSec : null, truncated: endSec >= limit };
  if (stated > limit) return { durationSec: stated, truncated: true };
  const sampling = video === null ? 1 : Math.max(minimumGap(stated), 3 / (video.fps ?? 10));
  const early = endSec < stated - Math.max(sampling, stated / 20);
  if (early) return { durationSec: endSec > 0 ? endSec : stated, truncated: STATED.has(plan.demuxer) };
  return { durationSec: stated, truncated: false };
}

function warningsOf(plan: ExtractionPlan, extraction: Extraction): MediaErrorCode[] {
  const soundLost = plan.video !== null && plan.audio !== null && extraction.audio === null;
  return [
    ...(soundLost ? (['no_audio_stream'] as const) : []),
    ...(extraction.subtitlesTooLarge ? (['subtitles_too_large'] as const) : []),
  ];
}

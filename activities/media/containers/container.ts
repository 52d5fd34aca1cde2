import { audioStream } from './audio.ts';
import { writeChapters } from './writeChapters.ts';
import type { LossCode } from '../../../domain/items/errorCodes.ts';
import { MediaError } from '../../mediaErrors.ts';
import { extract, type Extraction, type ExtractionPlan } from './extractFramesAndSound.ts';
import { decodingFault } from './ffmpegFaults.ts';
import { endsWithTag } from './flv.ts';
import { minimumGap } from '../pictures/frameSelection.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';
import { measureDuration, probe, displaySize, videoStream } from './probe.ts';
import { subtitleStreams } from './subtitles.ts';
import type { MediumContext, PreparedFrame, PreparedMedium } from '../medium/preparedMedium.ts';
import { keepFrames, readCandidates } from './candidateFrames.ts';

/** Containers that state their duration; for the others it is estimated from a bit rate. */
const STATED = new Set(['mov', 'matroska', 'avi', 'flac', 'wav', 'aiff']);

/** Share of the limit that a medium has to reach before a stated duration beyond the limit is believed. */
const REACHED_SHARE = 0.95;

/**
 * Extracts frames, sound, subtitles and chapters from a video, or the same without frames from an audio medium. The
 * container of an audio medium may be a video's; its pictures are not decoded.
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
  const { durationSec, truncated } = await checkLength(context, plan, Math.max(lastSec, extraction.reachedSec));
  const size = plan.video === null ? { width: null, height: null } : displaySize(plan.video);
  return {
    durationSec,
    ...size,
    truncated,
    audio: extraction.audio,
    subtitles: extraction.subtitles,
    chapters: await writeChapters(context.outDir, found.chapters),
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
  const leading = kind === 'video' ? video : audio;
  if (leading === null) throw withoutStream(found, kind);
  const durationSec = await plannedDuration(context, demuxer, found.durationSec, leading);
  const subtitles = subtitleStreams(found, audio, context.itemLanguage);
  const hasSound = found.streams.some(({ type }) => type === 'audio');
  return { demuxer, durationSec, leading, video, audio, hasSound, subtitles };
}

/** Tells a stream that cannot be read from one that is not there. */
function withoutStream(found: Probe, kind: 'video' | 'audio'): MediaError {
  const other = found.streams.find(({ type, attachedPicture }) => type === kind && !attachedPicture);
  if (other !== undefined) return new MediaError('unsupported_media', other.codec);
  return new MediaError(kind === 'video' ? 'no_video_stream' : 'no_audio_stream');
}

/**
 * Returns the stated duration, or the measured one. A stated duration beyond the limit is believed only if the medium
 * reaches the limit: a file whose parts were joined without new timestamps, or whose header is damaged, may state days
 * for a few minutes.
 */
async function plannedDuration(
  context: MediumContext,
  demuxer: string,
  stated: number | null,
  leading: ProbedStream,
): Promise<number | null> {
  const limit = context.limits.durationSec;
  if (stated !== null && stated <= limit) return stated;
  const measured = await measureDuration(context, demuxer, leading);
  return stated !== null && (measured ?? 0) >= limit * REACHED_SHARE ? stated : measured;
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
 * but ends earlier; a file over the limit was not read to its end. Live recordings and joined files go on for longer
 * than their header states.
 */
async function checkLength(
  context: MediumContext,
  plan: ExtractionPlan,
  endSec: number,
): Promise<{ durationSec: number | null; truncated: boolean }> {
  const { durationSec: stated, video } = plan;
  const limit = context.limits.durationSec;
  if (stated === null) return { durationSec: endSec > 0 ? endSec : null, truncated: endSec >= limit };
  if (stated > limit) return { durationSec: stated, truncated: true };
  const sampling = video === null ? 1 : Math.max(minimumGap(stated), 3 / (video.fps ?? 10));
  const early = endSec < stated - Math.max(sampling, stated / 20);
  if (endSec > stated + Math.max(1, stated / 20)) return { durationSec: endSec, truncated: endSec >= limit };
  if (!early) return { durationSec: stated, truncated: false };
  return await lengthOfPackets(context, plan, endSec);
}

/**
 * Returns the length of a medium that seems to end early. Frames are selected for the stated duration, so the last one
 * may be long before the real end. But a frame is taken after each gap, so a medium that goes on for longer than a gap
 * was not decoded to its end.
 */
async function lengthOfPackets(
  context: MediumContext,
  { demuxer, durationSec: stated, video, leading }: ExtractionPlan,
  endSec: number,
): Promise<{ durationSec: number | null; truncated: boolean }> {
  const packetsSec = await measureDuration(context, demuxer, leading).catch((error: unknown) => {
    // The decoded part is kept even if its length takes too long to measure.
    if (error instanceof MediaError && error.code === 'processing_timeout') return null;
    throw error;
  });
  if (packetsSec === null) return { durationSec: endSec > 0 ? endSec : stated, truncated: true };
  const gap = video === null ? 0 : minimumGap(stated);
  const isUndecoded = packetsSec > endSec + gap + Math.max(1, packetsSec / 20);
  const breaksOff = STATED.has(demuxer) || (demuxer === 'flv' && !(await endsWithTag(context.path)));
  return { durationSec: Math.max(endSec, packetsSec), truncated: isUndecoded || breaksOff };
}

function warningsOf(plan: ExtractionPlan, extraction: Extraction): LossCode[] {
  const soundLost = plan.video !== null && plan.hasSound && extraction.audio === null;
  return [
    ...(soundLost ? (['audio_unreadable'] as const) : []),
    ...(extraction.subtitlesFault === null ? [] : [extraction.subtitlesFault]),
  ];
}

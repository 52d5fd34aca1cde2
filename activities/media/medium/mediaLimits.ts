/** Limits of the work that one medium may cause: its download and its decoding. */
import { MAX_ANALYSED_SEC } from '../../../domain/analysis/analysedDuration.ts';
import { MAX_KEPT_FRAMES } from '../pictures/frameCount.ts';

const MIB = 1024 * 1024;
/** Maximum size of a file; a larger one is not downloaded. */
export const MAX_DOWNLOAD_BYTES: Readonly<Record<'video' | 'audio' | 'image', number>> = {
  video: 2048 * MIB,
  audio: 500 * MIB,
  image: 30 * MIB,
};

/** Limits of the decoder. Tests inject smaller ones. */
export interface MediaLimits {
  /** Wall-clock limit for reading a container's headers, ms. */
  probeMs: number;
  /** Minimum wall-clock limit of an extraction, ms; a long medium gets a share of its duration. */
  extractMs: number;
  extractShare: number;
  /** Wall-clock limit for all work on one image, ms. */
  imageMs: number;
  /** Media are read up to this time, in seconds, and flagged `truncated`. */
  durationSec: number;
  streams: number;
  /** Limits of the subtitles that the decoder writes, and of the sound per second of the medium. */
  subtitleBytes: number;
  audioBytesPerSec: number;
  /** Maximum number of frames that the decoder writes, and of those that are kept. */
  candidates: number;
  frames: number;
  /** Longer side of a kept frame, pixels. */
  frameSide: number;
  /** Pixels of an image; for an animation, the sum over all its pages. */
  imagePixels: number;
  /** Pixels of one video frame: 8192 × 4320, the largest level of the common codecs. */
  videoPixels: number;
  /** Largest single allocation of the decoder, in bytes: an 8K frame of 16-bit 4:4:4 fits. */
  maxAlloc: number;
  /**
   * Total memory of ffmpeg, in bytes. A stream may request that up to 16 frames are kept: a file of 120 KB with 8K
   * frames took 2.3 GB. Real 8K in 10 bits takes 1.2 GB, and two of these fit into the container of the worker.
   */
  memory: number;
  threads: number;
}

export const DEFAULT_LIMITS: MediaLimits = {
  probeMs: 20_000,
  extractMs: 60_000,
  extractShare: 0.25,
  imageMs: 20_000,
  durationSec: MAX_ANALYSED_SEC,
  streams: 32,
  // A day of speech is under 2 MB; a larger file is not a transcript of speech.
  subtitleBytes: 8 * 1024 * 1024,
  // FLAC exceeds the 32 kB of raw samples only by its headers.
  audioBytesPerSec: 40_000,
  candidates: 240,
  frames: MAX_KEPT_FRAMES,
  frameSide: 1024,
  imagePixels: 50_000_000,
  videoPixels: 8192 * 4320,
  maxAlloc: 256 * 1024 * 1024,
  memory: 1280 * 1024 * 1024,
  threads: 2,
};

/** Returns the wall-clock limit of one extraction, ms: the minimum, or a share of the duration for long media. */
export function extractionMs(durationSec: number | null, limits: MediaLimits): number {
  const seconds = Math.min(durationSec ?? 0, limits.durationSec);
  return Math.max(limits.extractMs, seconds * 1000 * limits.extractShare);
}

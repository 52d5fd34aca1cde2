/** Bounds of the work one medium may cause. Tests inject smaller ones. */
export interface MediaLimits {
  /** Wall clock of reading the headers of a container, ms. */
  probeMs: number;
  /** Least wall clock of an extraction, ms; a long medium gets a share of its duration. */
  extractMs: number;
  extractShare: number;
  /** Wall clock of everything done to one image, ms. */
  imageMs: number;
  /** Media are read up to here and flagged `truncated`, seconds. */
  durationSec: number;
  streams: number;
  /** Subtitles written by the decoder, and sound for each second of the medium. */
  subtitleBytes: number;
  audioBytesPerSec: number;
  /** Frames written by the decoder, and of those the ones kept. */
  candidates: number;
  frames: number;
  /** Longer side of a kept frame, pixels. */
  frameSide: number;
  /** Pixels of an image; of an animation, over all its pages. */
  imagePixels: number;
  /** Pixels of one video frame: 8192 × 4320, the largest level of the common codecs. */
  videoPixels: number;
  /** Largest single allocation of the decoder, bytes: an 8K frame of 16-bit 4:4:4 fits. */
  maxAlloc: number;
  threads: number;
}

export const DEFAULT_LIMITS: MediaLimits = {
  probeMs: 20_000,
  extractMs: 60_000,
  extractShare: 0.25,
  imageMs: 20_000,
  durationSec: 4 * 3600,
  streams: 32,
  // A day of speech is under 2 MB; beyond this a file is not subtitles of anything spoken.
  subtitleBytes: 8 * 1024 * 1024,
  // FLAC exceeds the 32 kB of plain samples by its headers only.
  audioBytesPerSec: 40_000,
  candidates: 240,
  frames: 60,
  frameSide: 1024,
  imagePixels: 50_000_000,
  videoPixels: 8192 * 4320,
  maxAlloc: 256 * 1024 * 1024,
  threads: 2,
};

/** Wall clock of one extraction, ms: at least the floor, a share of the duration for long media. */
export function extractionMs(durationSec: number | null, limits: MediaLimits): number {
  const seconds = Math.min(durationSec ?? 0, limits.durationSec);
  return Math.max(limits.extractMs, seconds * 1000 * limits.extractShare);
}

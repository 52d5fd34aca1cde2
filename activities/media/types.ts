import type { MediaErrorCode } from './errors.ts';
import type { MediaLimits } from './limits.ts';

export type MediumKind = 'video' | 'audio' | 'image';

/** One kept frame of a video, page of an animation, or the still image itself. */
export interface PreparedFrame {
  /** Seconds from the start of the medium. */
  ts: number;
  /** JPEG in outDir. */
  file: string;
  /** 64-bit difference hash, 16 hex digits. */
  dhash: string;
  /** `ts` of the earliest kept frame that shows the same, or null. */
  duplicateOfTs: number | null;
  /** One colour with next to no detail (black, white, a fade). */
  flat: boolean;
}

export interface PreparedMedium {
  durationSec: number | null;
  /** As shown, after rotation. */
  width: number | null;
  height: number | null;
  /** The result covers only the beginning: over the duration limit, or the file ends early. */
  truncated: boolean;
  /** Mono 16 kHz FLAC in outDir, its time axis that of the medium; null without sound. */
  audio: string | null;
  /** WebVTT in outDir of the best embedded text subtitle stream. */
  subtitles: string | null;
  frames: PreparedFrame[];
  /** What had to be left out, for logs and `processing_errors`. */
  warnings: MediaErrorCode[];
}

export type MediumStage = 'probe' | 'decode' | 'frames';

export interface MediumProgress {
  stage: MediumStage;
  /** Seconds of the medium done so far, when the stage knows. */
  doneSec: number | null;
}

export interface AnalyseOptions {
  path: string;
  kind: MediumKind;
  /** An existing empty directory; emptied again when the analysis throws. */
  outDir: string;
  /** Absolute path of ffmpeg. */
  ffmpegPath: string;
  signal?: AbortSignal;
  /** Called at least once a second while the decoder works: a place for heartbeats. */
  onProgress?: (progress: MediumProgress) => void;
  limits?: Partial<MediaLimits>;
}

/** What every step of one analysis shares. */
export interface MediumContext {
  path: string;
  outDir: string;
  ffmpegPath: string;
  signal: AbortSignal;
  onProgress: (progress: MediumProgress) => void;
  limits: MediaLimits;
}

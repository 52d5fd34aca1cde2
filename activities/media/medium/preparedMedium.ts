import type { LossCode } from '../../../domain/items/errorCodes.ts';
import type { MediaLimits } from './mediaLimits.ts';

export type MediumKind = 'video' | 'audio' | 'image';

/** One kept frame of a video, page of an animation, or the still image itself. */
export interface PreparedFrame {
  /** Seconds from the start of the medium. */
  ts: number;
  /** Name of a JPEG in outDir. */
  file: string;
  /** 64-bit difference hash, 16 hex digits. */
  dhash: string;
  /** `ts` of the earliest kept frame that shows the same picture, or null. */
  duplicateOfTs: number | null;
  /** True for one colour with almost no detail (black, white, a fade). */
  flat: boolean;
}

export interface PreparedMedium {
  durationSec: number | null;
  /** Size as shown, after rotation. */
  width: number | null;
  height: number | null;
  /**
   * True when the result covers only a part: the medium exceeds the duration limit, the file ends early, only the first
   * of its pictures is decoded, or a long strip becomes too narrow to be seen.
   */
  truncated: boolean;
  /** Name of a mono 16 kHz FLAC in outDir, with the time axis of the medium; null without sound. */
  audio: string | null;
  /** Name of a WebVTT file in outDir, from the embedded text track that `chooseSubtitles` prefers. */
  subtitles: string | null;
  /** Name of a JSON file in outDir with the chapters of the container (an array of `start` and `title`), or null. */
  chapters: string | null;
  frames: PreparedFrame[];
  /** Parts that had to be left out, for logs; the first one is shown in `processing_errors`. */
  warnings: LossCode[];
}

export type MediumStage = 'probe' | 'decode' | 'frames';

export interface MediumProgress {
  stage: MediumStage;
  /** Seconds of the medium processed so far, when the stage knows them. */
  doneSec: number | null;
}

export interface AnalyseOptions {
  path: string;
  kind: MediumKind;
  /** An existing empty directory; emptied again when the analysis throws. */
  outDir: string;
  /** Absolute path of ffmpeg. */
  ffmpegPath: string;
  /** ISO 639-1 code of the language that the item's texts show; null or left out if they show none. */
  itemLanguage?: string | null;
  signal?: AbortSignal;
  /** Called at least once a second while the decoder works, for example to send heartbeats. */
  onProgress?: (progress: MediumProgress) => void;
  limits?: Partial<MediaLimits>;
}

/** Context that all steps of one analysis share. */
export interface MediumContext {
  path: string;
  outDir: string;
  ffmpegPath: string;
  itemLanguage: string | null;
  signal: AbortSignal;
  onProgress: (progress: MediumProgress) => void;
  limits: MediaLimits;
}

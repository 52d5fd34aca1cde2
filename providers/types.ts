/**
 * The interface between the analysis steps and the providers of analysis.
 *
 * A capability without a provider is `undefined` in `Providers`: its step becomes `skipped` with a reason. Nothing is
 * ever invented, and missing evidence is never reported as "safe" or "0+": unknown is `null` throughout.
 */
import type { ProviderCapability } from '../domain/analysis/capabilities.ts';
import type { ProposedChapter } from '../domain/analysis/chapters.ts';
import type {
  FrameDescription,
  Moderation,
  Provenance,
  Summary,
  Transcript,
  TranscriptSegment,
  Usage,
} from '../domain/analysis/results.ts';

export type { ProposedChapter } from '../domain/analysis/chapters.ts';
export type {
  FrameDescription,
  Moderation,
  ModerationLevel,
  Provenance,
  Summary,
  Transcript,
  TranscriptSegment,
  Usage,
} from '../domain/analysis/results.ts';

export interface ProviderResult<T> {
  value: T;
  provenance: Provenance;
  /**
   * Total usage of the run. If `onUsage` was called for each answer, this is their sum and must not be counted again.
   */
  usage: Usage;
  /** Short machine-readable remarks for operators, such as `dropped_segments:3`; no content. */
  warnings: string[];
}

export interface SpeechInput {
  /** Absolute path of mono 16 kHz audio (FLAC), or null if the medium has only subtitles. */
  audioPath: string | null;
  /** Absolute path of the subtitle stream as WebVTT, or null. */
  subtitlesPath: string | null;
  durationSec: number;
  /** Language that a recogniser is told, as ISO 639-1; null: it determines the language itself. */
  language: string | null;
  /** Words that may be said, such as names, at most 200 characters: they show a recogniser how these are spelt. */
  hint?: string | null;
  /** Measurements of the sound, if they were made before. */
  measured?: Measured;
  /** Sends all of the sound, even if nobody speaks in it: for a check of the server. */
  sendsAll?: boolean;
}

export interface VisionFrame {
  /** Stable key that matches the answer, such as `0:12.5`. */
  id: string;
  /** Absolute path of a JPEG of at most 1024 px on its longer side. */
  path: string;
}

export interface SummaryInput {
  /** ISO 639-1 code of the language to write in; null: that of the material. */
  language: string | null;
  /** ISO 639-1 code of the language of the material, as far as its texts show it, without descriptions of frames. */
  materialLanguage?: string | null;
  /** The topics to choose from; empty: any. */
  topicsAllowed: readonly string[];
  type: string;
  title: string | null;
  description: string | null;
  body: string | null;
  /** Transcripts in media order. */
  transcripts: string[];
  /** Frame descriptions and OCR texts in media and time order. */
  frames: { description: string; ocrText: string | null; tags: string[] | null }[];
  /** Some of the item's speech or pictures are not in the material, because they could not be read. */
  isIncomplete?: boolean;
}

export interface ChaptersInput {
  /** ISO 639-1 code of the language of the titles; null: that of the recording. */
  language: string | null;
  /** The transcript, in order of time. */
  segments: readonly TranscriptSegment[];
  durationSec: number;
}

export interface ModerationInput {
  /** All text evidence of the item. */
  text: string;
  frames: VisionFrame[];
}

/**
 * Paid answers of an unfinished run: the next attempt, even in another process, finds those of earlier ones. Values are
 * JSON. A part's name includes everything that its value depends on: the model, the input.
 */
export interface Drafts {
  /** Returns undefined if nothing is saved under that name. */
  load(part: string): Promise<unknown>;
  /**
   * @param isProgress false for a note that is not an answer; after an answer the step's schedule of deferrals begins
   *   anew
   */
  save(part: string, value: object, isProgress?: boolean): Promise<void>;
}

/** Passed to every call. The signal must reach fetch and child processes. */
export interface CallContext {
  signal: AbortSignal;
  /** Called at least every few seconds of work, so that the caller can send heartbeats. */
  progress: () => void;
  /** Called for each paid answer before it is processed further: the run may fail, but the cost remains. */
  onUsage?: (provenance: Provenance, usage: Usage) => Promise<void>;
  drafts?: Drafts;
  /**
   * True: the caller has waited long enough, so a result without a part that the server failed to read is better than
   * another attempt.
   */
  acceptsGaps?: boolean;
  /**
   * True: unless this try or one of its quick attempts makes progress, no other try follows, so whatever was read is
   * better than nothing.
   */
  isLastTry?: boolean;
  /** True: no quick attempt follows this one. */
  isLastAttempt?: boolean;
  /**
   * True: the last try failed at least ten minutes ago, after all its quick attempts, because its answer was empty or
   * unusable (so not because the server was down or overloaded).
   */
  wasUnanswered?: boolean;
  /**
   * Key of the item for which the call is made. A provider learns what its server can do from several items, because
   * one may be written to mislead it; without a key (a check, a search) it learns nothing of the kind.
   */
  item?: string;
}

/** `model` is the configured model. It is stored with each result, and a change makes the step outdated. */
export interface Capability<I, O> {
  model: string;
  run(input: I, context: CallContext): Promise<ProviderResult<O>>;
}

export interface SpeechCapability extends Capability<SpeechInput, Transcript> {
  /** Returns false if this provider cannot process such a medium (`skipReason` then states why). */
  canTranscribe(input: { hasAudio: boolean; hasSubtitles: boolean }): boolean;
  skipReason: string;
}

export interface SummaryCapability extends Capability<SummaryInput, Summary> {
  /**
   * Starts and titles of a recording's parts, in any order; domain/analysis/chapters.ts turns them into chapters.
   * Undefined: this provider makes no chapters.
   */
  chapters?: Capability<ChaptersInput, ProposedChapter[]>;
}

/** A stretch of a recording, seconds from its start. */
export interface TimeSpan {
  start: number;
  end: number;
}

export interface Loudness {
  durationSec: number;
  /** RMS level of each second in dBFS; -Infinity for digital silence. */
  levels: number[];
  silences: TimeSpan[];
}

/** Measurements of a recording. */
export interface Measured extends Loudness {
  /** Stretches with speech; null if no detector was run. */
  voices: readonly TimeSpan[] | null;
}

/** Finds speech. It is not a capability: its results are not stored. */
export interface VoiceDetector {
  /**
   * @param parts consecutive files of one recording as raw mono sound (16,000 signed 16-bit numbers a second). Each
   * except the last has a multiple of 512 samples, and is read before the next one is requested
   * @returns stretches in order, without overlap
   * @throws VoiceDetectorError, or what `parts` or the signal throws
   */
  findVoices(parts: AsyncIterable<string>, context: CallContext): Promise<TimeSpan[]>;
}

export interface VisionInput {
  frames: readonly VisionFrame[];
  /** ISO 639-1 code of the language to describe in; null: that of the text in the pictures, else `fallback`. */
  language: string | null;
  /** ISO 639-1 code for pictures without text; `DEFAULT_LANGUAGE` if it is left out. */
  fallback?: string;
  /**
   * Words of the item, written by strangers, in a language that has no detector: descriptions are in it if `language`
   * is null, whatever the text in the pictures. A provider that cannot tell the language ignores them.
   */
  languageSample?: string;
  /** True for pictures, which may be pages that lie on their side; videos are upright. */
  mayBeRotated?: boolean;
}

/** How the language of descriptions is decided. */
export type DescriptionLanguage = Omit<VisionInput, 'frames' | 'mayBeRotated'>;

/** One call has at most `batchSize` frames; answers may leave out frames, but never add any. */
export interface VisionCapability extends Capability<VisionInput, FrameDescription[]> {
  batchSize: number;
}

/**
 * `run` computes one vector for each text, each of exactly `dimension` numbers, L2-normalised: the passages that
 * searches find. Vectors of different models are unrelated, so only those of the same `model` are compared.
 */
export interface EmbeddingCapability extends Capability<string[], Float32Array[]> {
  dimension: number | null;
  /** Maximum number of texts in one `run`. */
  batchSize: number;
  /**
   * The similarity (the dot product of two vectors) from which a query and a passage count as related: at least 95 % of
   * unrelated pairs are below it. Null if it was not measured for the model.
   */
  similarityThreshold: number | null;
  /**
   * Returns the vector of a search query, to be compared with those of passages. Some models must be told which of the
   * two a text is.
   */
  embedQuery(query: string, context: CallContext): Promise<ProviderResult<Float32Array>>;
}

/**
 * Pictures and words in one vector space, so that a picture is found by what it shows. `run` computes one vector for
 * each picture, each L2-normalised and of the same size as those of queries.
 */
export interface PictureEmbedding extends Capability<readonly VisionFrame[], Float32Array[]> {
  /** Maximum number of pictures in one `run`. */
  batchSize: number;
  /**
   * The similarity from which a query and a picture count as related. Null: it follows from the distribution of each
   * query's similarities (domain/output/similarity/pictureThreshold.ts).
   */
  similarityThreshold: number | null;
  embedQuery(query: string, context: CallContext): Promise<ProviderResult<Float32Array>>;
}

/** The functions that every implementation of a capability has. */
export interface Capabilities {
  speech: SpeechCapability;
  vision: VisionCapability;
  summary: SummaryCapability;
  moderation: Capability<ModerationInput, Moderation>;
  embedding: EmbeddingCapability;
}

/** A capability that is switched off is undefined. */
type OptionalCapabilities<All extends Record<ProviderCapability, unknown>> = {
  [C in ProviderCapability]: All[C] | undefined;
};

export type Providers = OptionalCapabilities<Capabilities> & { pictures?: PictureEmbedding | undefined };

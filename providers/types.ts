/**
 * The one interface between the analysis steps and whoever does the analysis.
 *
 * A capability without a provider is `undefined` in `Providers`: its step becomes `skipped` with a
 * reason. Nothing is ever invented, and missing evidence is never reported as "safe" or "0+":
 * unknown is `null` throughout.
 */
import type { FrameDescription, Moderation, Provenance, Summary, Transcript, Usage } from '../domain/results.ts';

export type {
  FrameDescription,
  Moderation,
  ModerationLevel,
  Provenance,
  Summary,
  Transcript,
  TranscriptSegment,
  Usage,
} from '../domain/results.ts';

export interface ProviderResult<T> {
  value: T;
  provenance: Provenance;
  /** The whole run's. Where `onUsage` was told of each answer, this is their sum and not to be counted again. */
  usage: Usage;
  /** Short machine-readable remarks for operators, e.g. `dropped_segments:3`; no content. */
  warnings: string[];
}

export interface SpeechInput {
  /** Absolute path of mono 16 kHz audio (FLAC), or null when the medium has only subtitles. */
  audioPath: string | null;
  /** Absolute path of the subtitle stream as WebVTT, or null. */
  subtitlesPath: string | null;
  durationSec: number;
  /** Language declared by the client, or null to detect. */
  language: string | null;
}

export interface VisionFrame {
  /** Stable key the answer is matched by, e.g. `0:12.5`. */
  id: string;
  /** Absolute path of a JPEG of at most 1024 px on its longer side. */
  path: string;
}

export interface SummaryInput {
  type: string;
  title: string | null;
  description: string | null;
  body: string | null;
  /** Transcripts in media order. */
  transcripts: string[];
  /** Frame descriptions and OCR texts in media and time order. */
  frames: { description: string; ocrText: string | null; tags: string[] | null }[];
}

export interface ModerationInput {
  /** All text evidence of the item. */
  text: string;
  frames: VisionFrame[];
}

/**
 * Paid answers of a run that is not over: what one attempt bought, the next one finds, also in another
 * process. Values are JSON. A part's name says all that its value depends on: the model, the input.
 */
export interface Drafts {
  /** Undefined when nothing was kept under that name. */
  load(part: string): Promise<unknown>;
  save(part: string, value: object): Promise<void>;
}

/** Passed to every call. The signal must reach fetch and child processes. */
export interface CallContext {
  signal: AbortSignal;
  /** Called at least every few seconds of work, so that the caller can heartbeat. */
  progress: () => void;
  /** Told of each paid answer before anything else is done with it: the run may fail, the bill stays. */
  onUsage?: (provenance: Provenance, usage: Usage) => Promise<void>;
  drafts?: Drafts;
}

/** `model` is what is configured: it is stored beside each result, and a change outdates the step. */
export interface Capability<I, O> {
  model: string;
  run(input: I, context: CallContext): Promise<ProviderResult<O>>;
}

export interface SpeechCapability extends Capability<SpeechInput, Transcript> {
  /** False when this provider can do nothing with such a medium (`skipReason` then says why). */
  canTranscribe(input: { hasAudio: boolean; hasSubtitles: boolean }): boolean;
  skipReason: string;
}

/** The frames of one call are at most `batchSize`; answers may leave out frames, never add any. */
export interface VisionCapability extends Capability<VisionFrame[], FrameDescription[]> {
  batchSize: number;
}

/**
 * `run` makes one vector a text, each of exactly `dimension` numbers, L2-normalised: the passages that searches find.
 * Vectors of different models have nothing to do with each other, so only those of one `model` are ever compared.
 */
export interface EmbeddingCapability extends Capability<string[], Float32Array[]> {
  dimension: number | null;
  /** The most texts of one `run`. */
  batchSize: number;
  /**
   * The similarity (the product of two vectors) of a query and a passage from which on they count as related: at least
   * 95 of 100 pairs that are not stay below it. Null when nobody has measured the model.
   */
  similarityThreshold: number | null;
  /** The vector of a search query, to be compared with those of passages. Some models are told which of the two a text is. */
  embedQuery(query: string, context: CallContext): Promise<ProviderResult<Float32Array>>;
}

export interface Providers {
  speech: SpeechCapability | undefined;
  vision: VisionCapability | undefined;
  summary: Capability<SummaryInput, Summary> | undefined;
  moderation: Capability<ModerationInput, Moderation> | undefined;
  embedding: EmbeddingCapability | undefined;
}

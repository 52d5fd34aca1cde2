/**
 * Analysis without any key or network: rules, classic algorithms, a lexicon, and OCR and vectors with data that is
 * installed. What it cannot do (speech recognition, judging pictures) it says so instead of guessing.
 */
import type {
  EmbeddingCapability,
  Capability,
  Moderation,
  ModerationInput,
  SpeechCapability,
  Summary,
  SummaryInput,
  VisionCapability,
} from '../types.ts';
import { createEmbedding } from './embedding.ts';
import { createModeration } from './moderation.ts';
import { createSentenceEmbedding } from './sentenceEmbedding.ts';
import { createSpeech } from './speech.ts';
import { createSummary } from './summary.ts';
import { createTextRunner } from './textRunner.ts';
import { createVision } from './vision.ts';
import { createOcr } from './vision/ocr.ts';

export interface BuiltinOptions {
  /** Folders looked through, in order, for `rus.traineddata[.gz]` (and a better `eng`). May be empty. */
  tessdataDirs: readonly string[];
  /** Folder of the sentence encoder's files (encoder/files.ts); without it vectors are lexical. */
  sentenceEncoderDir?: string | null;
  /** OCR threads, about 150 MB each once used. Default 1. */
  ocrThreads?: 1 | 2;
  /** Time limit of one frame's OCR. Default 30 s. */
  ocrTimeoutMs?: number;
}

/** Every capability is present, so a caller may pick single ones. */
export interface BuiltinProviders {
  speech: SpeechCapability;
  vision: VisionCapability;
  summary: Capability<SummaryInput, Summary>;
  moderation: Capability<ModerationInput, Moderation>;
  embedding: EmbeddingCapability;
  /** Ends the threads and removes the temporary folder. Calls in progress reject. */
  close(): Promise<void>;
}

/** Threads start with the first large text, the first vector of meaning and the first picture, not here. */
export function createBuiltinProviders(options: BuiltinOptions): BuiltinProviders {
  const runner = createTextRunner();
  const ocr = createOcr({
    tessdataDirs: options.tessdataDirs,
    threads: options.ocrThreads ?? 1,
    timeoutMs: options.ocrTimeoutMs ?? 30_000,
  });
  const { sentenceEncoderDir = null } = options;
  const sentences = sentenceEncoderDir === null ? null : createSentenceEmbedding(sentenceEncoderDir);
  return {
    speech: createSpeech(runner),
    vision: createVision(ocr),
    summary: createSummary(runner),
    moderation: createModeration(runner),
    embedding: sentences ?? createEmbedding(runner),
    close: async () => {
      await Promise.all([runner.close(), sentences?.close(), ocr.close()]);
    },
  };
}

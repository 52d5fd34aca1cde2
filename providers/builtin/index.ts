/**
 * Analysis without any key or network: rules, classic algorithms, a lexicon, and OCR and vectors with installed data.
 * It reports what it cannot do (speech recognition, describing pictures) instead of guessing.
 */
import type { Capabilities, VoiceDetector } from '../types.ts';
import { createEmbedding } from './embedding.ts';
import { createModeration } from './moderation.ts';
import { createNudityClassifier } from './nudity.ts';
import { createReading } from './reading/reading.ts';
import { NO_READERS, type ReaderFolders } from './reading/folders.ts';
import { createSentenceEmbedding } from './sentenceEmbedding.ts';
import { createSpeech } from './speech.ts';
import { createSummary } from './summary.ts';
import { createNearness } from './topics/topicNearness.ts';
import { createTextRunner } from './textRunner.ts';
import { createVision } from './vision.ts';
import { createVoiceDetector } from './voice.ts';
import { createOcr } from './vision/ocr.ts';
import { PICTURE_MS } from './vision/ocrTime.ts';

export interface BuiltinOptions {
  /** Folders that are searched, in order, for `rus.traineddata[.gz]` (and a better `eng`). May be empty. */
  tessdataDirs: readonly string[];
  /** Folder of the sentence encoder's files (encoder/encoderFiles.ts); without it vectors are lexical. */
  sentenceEncoderDir?: string | null;
  /**
   * Folder of the nudity classifier's files (nudity/classifierFiles.ts); without it the safety of pictures stays
   * unknown.
   */
  nudityModelDir?: string | null;
  /** Folder of the voice detector's file (voice/voiceDetectorFile.ts). */
  voiceModelDir?: string | null;
  /**
   * Folders of the text readers (reading/folders.ts); without them words are counted and names are detected by
   * capitals.
   */
  textReaders?: Omit<ReaderFolders, 'encoder'>;
  /** OCR threads, about 150 MB each once used. Default 1. */
  ocrThreads?: 1 | 2;
  /** Time limit of one frame's OCR. Default 30 s. */
  ocrTimeoutMs?: number;
}

/** All capabilities; a caller may pick some of them. */
export interface BuiltinProviders extends Capabilities {
  /** For speech recognisers; null without `voiceModelDir`. */
  voices: VoiceDetector | null;
  /** Ends the threads and removes the temporary folder. Calls in progress reject. */
  close(): Promise<void>;
}

/**
 * Creates the providers. Threads start with the first large text, the first vector of meaning and the first picture.
 */
export function createBuiltinProviders(options: BuiltinOptions): BuiltinProviders {
  const runner = createTextRunner();
  const ocr = createOcr({
    tessdataDirs: options.tessdataDirs,
    threads: options.ocrThreads ?? 1,
    timeoutMs: options.ocrTimeoutMs ?? PICTURE_MS,
  });
  const { sentenceEncoderDir = null, nudityModelDir = null, voiceModelDir = null } = options;
  const reading = createReading({ ...(options.textReaders ?? NO_READERS), encoder: sentenceEncoderDir });
  const sentences = sentenceEncoderDir === null ? null : createSentenceEmbedding(sentenceEncoderDir);
  const classifier = nudityModelDir === null ? null : createNudityClassifier(nudityModelDir);
  const voices = voiceModelDir === null ? null : createVoiceDetector(voiceModelDir);
  return {
    speech: createSpeech(runner),
    vision: createVision(ocr, classifier),
    summary: createSummary(runner, reading, sentences === null ? null : createNearness(sentences)),
    moderation: createModeration(runner),
    embedding: sentences ?? createEmbedding(runner),
    voices,
    close: async () => {
      await Promise.all([
        runner.close(),
        reading.close(),
        sentences?.close(),
        ocr.close(),
        classifier?.close(),
        voices?.close(),
      ]);
    },
  };
}

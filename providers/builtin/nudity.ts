/** Classifies nudity and sexual acts in pictures, in a separate thread. */
import type { ModerationLevel } from '../../domain/analysis/results.ts';
import { sexualLevel } from './nudity/nudityLevel.ts';
import { SIDE, type ClassProbabilities } from './nudity/nudityNetwork.ts';
import type { NudityThreadData } from './nudity/nudityThread.ts';
import { createThread } from './threads/thread.ts';
import { DECODING_LIMITS, DECODING_SECONDS } from './vision/pictureDecoding.ts';

/** The `safety` of a frame: violence and self-harm are not rated here, so they stay unknown. */
export interface ClassifiedSafety {
  [category: string]: ModerationLevel | null;
  sexual: ModerationLevel;
  violence: null;
  self_harm: null;
}

export interface NudityClassifier {
  /**
   * Classifies one picture.
   * @param path of a picture that can be decoded
   * @throws as `Thread.call` and sharp do
   */
  classify(path: string, signal: AbortSignal): Promise<ClassifiedSafety>;
  close(): Promise<void>;
}

/** The JavaScript heap holds the text of the weights once; the network has separate memory (55 MB). */
const HEAP_MB = 256;
/** A picture takes a twentieth of a second, and the first one a second. */
const TIMEOUT_MS = 30_000;

/**
 * Creates the classifier. The thread starts with the first picture.
 * @param folder of the classifier's files, see nudity/classifierFiles.ts
 */
export function createNudityClassifier(folder: string): NudityClassifier {
  const data: NudityThreadData = { folder };
  const entry = new URL('./nudity/nudityThread.ts', import.meta.url);
  // A job is short and its thread takes a long time to start, so an aborted job is not worth ending the thread.
  const thread = createThread<Uint8Array, ClassProbabilities>({ entry, data, heapMb: HEAP_MB, finishesAborted: true });
  return {
    async classify(path, signal) {
      const pixels = await readPixels(path);
      const chances = await thread.call(pixels, { signal, timeoutMs: TIMEOUT_MS });
      return { sexual: sexualLevel(chances), violence: null, self_harm: null };
    },
    close: () => thread.close(),
  };
}

/** Scales the whole picture to a square, as in the training of the network. */
async function readPixels(path: string): Promise<Uint8Array> {
  // Loaded on demand: processes that only summarise and embed have these providers too, but no pictures.
  const { default: sharp } = await import('sharp');
  return await sharp(path, DECODING_LIMITS)
    .timeout({ seconds: DECODING_SECONDS })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(SIDE, SIDE, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
}

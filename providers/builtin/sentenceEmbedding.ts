import { LRUCache } from 'lru-cache';
import { ProviderError } from '../errors.ts';
import { oneVector } from '../oneVector.ts';
import type { EmbeddingCapability } from '../types.ts';
import { MAX_CHARACTERS, type Encoded } from './encoder/encoder.ts';
import type { EncoderReply, EncoderThreadData } from './encoder/encoderThread.ts';
import { DIMENSION } from './encoder/head.ts';
import { builtinResult } from './builtinResult.ts';
import { SENTENCE_MODEL } from './modelVersions.ts';
import { SIMILARITY_THRESHOLDS } from './similarityThresholds.ts';
import { TEXT_LIMITS, throwTextFault } from './threads/textJobLimits.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { createThread } from './threads/thread.ts';

const BATCH_SIZE = 256;
/**
 * Maximum number of characters in one job of the thread, unless it is a single text: it cannot be interrupted, and
 * others wait for it. A piece has at least one character, so this bounds the pieces too; a job of ordinary text takes
 * about 0.1 s.
 */
const JOB_CHARACTERS = 8_192;
/** Heap of JavaScript objects; weights and tables are outside it. */
const HEAP_MB = 256;
/** Number of cached vectors: 0.5 MB, and the texts. */
const MAX_REMEMBERED = 256;
const MAX_REMEMBERED_LENGTH = 4_096;

export interface SentenceEmbedding extends EmbeddingCapability {
  /** Ends the thread. Calls in progress reject. */
  close(): Promise<void>;
}

/**
 * Creates vectors of meaning by the sentence encoder, in a separate thread. Fails with `no_content` (permanent) if a
 * text is blank, with `batch_too_large` (permanent) above 256 texts, and with `provider_model_not_found` if the
 * encoder's files are missing or damaged: a retry does not help, so the step is postponed until an operator has fixed
 * it. Warning: `truncated_texts:n`.
 * @param folder of the encoder's files, see encoder/encoderFiles.ts
 */
export function createSentenceEmbedding(folder: string): SentenceEmbedding {
  const data: EncoderThreadData = { folder };
  const thread = createThread<string[], EncoderReply>({
    entry: new URL('./encoder/encoderThread.ts', import.meta.url),
    data,
    heapMb: HEAP_MB,
    finishesAborted: true,
  });

  async function encode(texts: string[], signal: AbortSignal): Promise<Encoded[]> {
    const reply = await thread.call(texts, { signal, ...TEXT_LIMITS }).catch(throwTextFault);
    if ('encoded' in reply) return reply.encoded;
    throw new ProviderError('permanent', 'provider_model_not_found', `the sentence encoder: ${reply.fault}`);
  }

  /** A text's summary and its search chunk request the same vector shortly after each other. */
  const recent = new LRUCache<string, Encoded>({ max: MAX_REMEMBERED });

  function remember(text: string, encoded: Encoded): void {
    if (text.length > MAX_REMEMBERED_LENGTH) return;
    recent.set(text, encoded);
  }

  async function encodeNew(texts: readonly string[], signal: AbortSignal): Promise<Encoded[]> {
    const known = new Map<string, Encoded>();
    for (const text of texts) {
      const cached = recent.get(text);
      if (cached !== undefined) known.set(text, cached);
    }
    const missing = texts.filter((text) => !known.has(text));
    for (const job of jobsOf(missing)) {
      const encoded = await encode(job, signal);
      job.forEach((text, index) => {
        const own = encoded[index];
        if (own === undefined) return;
        known.set(text, own);
        remember(text, own);
      });
    }
    return texts.flatMap((text) => {
      const own = known.get(text);
      return own === undefined ? [] : [{ ...own, vector: own.vector.slice() }];
    });
  }

  const capability: EmbeddingCapability = {
    model: SENTENCE_MODEL,
    dimension: DIMENSION,
    batchSize: BATCH_SIZE,
    similarityThreshold: SIMILARITY_THRESHOLDS.sentences,
    // The model does not distinguish queries from texts.
    embedQuery: (query, context) => oneVector(capability.run, query, context),
    run: (texts, { signal, progress }) =>
      withHeartbeat(progress, async () => {
        if (texts.length > BATCH_SIZE)
          throw new ProviderError('permanent', 'batch_too_large', `a call may embed at most ${BATCH_SIZE} texts`);
        const encoded = await encodeNew(texts.map(clipped), signal);
        const cut = encoded.filter(({ isCut }) => isCut).length;
        const vectors = encoded.map(({ vector }) => vector);
        return builtinResult(SENTENCE_MODEL, vectors, cut > 0 ? [`truncated_texts:${cut}`] : []);
      }),
  };
  return { ...capability, close: () => thread.close() };
}

/** Cuts a text to what the encoder reads, plus one character by which it recognises a cut. */
function clipped(text: string): string {
  const words = text.trim();
  if (words === '') throw new ProviderError('permanent', 'no_content', 'a text to embed is blank');
  return words.slice(0, MAX_CHARACTERS + 1);
}

function jobsOf(texts: readonly string[]): string[][] {
  const jobs: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (text.length > room) {
      jobs.push([]);
      room = JOB_CHARACTERS;
    }
    jobs.at(-1)?.push(text);
    room -= text.length;
  }
  return jobs;
}

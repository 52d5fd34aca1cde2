import type { EmbeddingTraits } from '../settings.ts';

/** Vectors with another prefix are those of another model: the name that is stored with them has it. */
export function embeddingModelName(model: string, { passagePrefix }: Pick<EmbeddingTraits, 'passagePrefix'>): string {
  return passagePrefix === '' ? model : `${model} (${passagePrefix})`;
}

import type { CallContext, EmbeddingCapability, ProviderResult } from './types.ts';

/** Returns the vector of a single text, from a function that embeds many. */
export async function oneVector(
  run: EmbeddingCapability['run'],
  text: string,
  context: CallContext,
): Promise<ProviderResult<Float32Array>> {
  const { value, ...rest } = await run([text], context);
  const [vector] = value;
  if (vector === undefined) throw new Error('one text has no vector');
  return { ...rest, value: vector };
}

import type { CallContext, EmbeddingCapability, ProviderResult } from './types.ts';

/** The vector of a single text, by what embeds many. */
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

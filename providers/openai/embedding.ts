/** Embeddings by the embeddings endpoint: exactly one checked, normalised vector a text. */
import { ProviderError } from '../errors.ts';
import { oneVector } from '../oneVector.ts';
import type { EmbeddingTraits } from '../settings.ts';
import type { CallContext, EmbeddingCapability, Usage } from '../types.ts';
import { createOpenAiApi, requestJson, type OpenAiOptions } from './client.ts';
import { embeddingModelName } from './embeddingModelName.ts';
import { planBatches, truncateToTokens } from './embeddingLimits.ts';
import { readVectors } from './embeddingVectors.ts';
import { badAnswer } from './errors.ts';
import { addUsage, bill, NO_CALLS, provenanceOf, tokenUsage } from './usage.ts';

/** The provider's own limit of inputs. One run may become several requests. */
const MAX_TEXTS = 2_048;
const NO_TRAITS: EmbeddingTraits = { queryPrefix: '', passagePrefix: '', similarityThreshold: null };

/**
 * @returns a capability whose `dimension` is null until the first answer and fixed from then on; an
 *   answer of another size is `provider_bad_answer`. Texts over the token limit are cut
 *   (`truncated_texts:n`).
 */
export function createOpenAiEmbedding(
  options: OpenAiOptions,
  traits: EmbeddingTraits = NO_TRAITS,
): EmbeddingCapability {
  const api = createOpenAiApi(options);
  let dimension: number | null = null;

  async function embed(input: string[], context: CallContext) {
    const request = { model: api.model, input, encoding_format: 'float' as const };
    const answer = await requestJson(api, context, (client, requestOptions) =>
      client.embeddings.create(request, requestOptions),
    );
    const usage = await bill(api, context, answer, { ...tokenUsage(answer.body), outputTokens: null });
    const vectors = readVectors(answer.body, input.length);
    const size = vectors[0]?.length ?? 0;
    if (dimension !== null && size !== dimension) throw badAnswer('the vectors have another size than before');
    dimension = size;
    return { vectors, requestId: answer.requestId, usage };
  }

  async function embedAll(texts: string[], prefix: string, context: CallContext) {
    if (texts.some((text) => truncateToTokens(text).trim() === ''))
      throw new ProviderError('permanent', 'empty_text', 'An empty text has no embedding');
    const whole = prefix === '' ? texts : texts.map((text) => `${prefix} ${text}`);
    const inputs = whole.map(truncateToTokens);
    const truncated = inputs.filter((input, index) => input !== whole[index]).length;
    const value: Float32Array[] = [];
    let usage: Usage | null = null;
    let requestId: string | null = null;
    for (const batch of planBatches(inputs)) {
      const answer = await embed(batch, context);
      value.push(...answer.vectors);
      usage = addUsage(usage, answer.usage);
      requestId = answer.requestId;
    }
    return {
      value,
      provenance: provenanceOf(api, requestId),
      usage: usage ?? NO_CALLS,
      warnings: truncated > 0 ? [`truncated_texts:${truncated}`] : [],
    };
  }

  return {
    model: embeddingModelName(options.model, traits),
    get dimension() {
      return dimension;
    },
    batchSize: MAX_TEXTS,
    similarityThreshold: traits.similarityThreshold,
    run: (texts, context) => embedAll(texts, traits.passagePrefix, context),
    embedQuery: (query, context) => oneVector((texts) => embedAll(texts, traits.queryPrefix, context), query, context),
  };
}

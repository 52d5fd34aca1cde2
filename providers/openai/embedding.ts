/** Embeddings by the embeddings endpoint: exactly one checked, normalised vector for each text. */
import { ProviderError } from '../errors.ts';
import { oneVector } from '../oneVector.ts';
import type { EmbeddingTraits } from '../providerSettings.ts';
import type { CallContext, EmbeddingCapability, Usage } from '../types.ts';
import { createOpenAiApi, MAX_VECTORS_BYTES, requestJson, type OpenAiOptions } from './client.ts';
import { embeddingModelName } from './embeddingModelName.ts';
import {
  estimateTokens,
  MAX_TEXTS_PER_REQUEST,
  MAX_TOKENS_PER_TEXT,
  planBatches,
  truncateToTokens,
} from './embeddingLimits.ts';
import { readVectors } from './embeddingVectors.ts';
import { badAnswer } from './errors.ts';
import { addUsage, bill, NO_CALLS, provenanceOf, tokenUsage } from './callUsage.ts';

/** The provider's limit of inputs. One run may become several requests. */
const MAX_TEXTS = 2_048;
/** A server that reads less than this of a text fails. */
const MIN_TOKENS = 64;
const NO_TRAITS: EmbeddingTraits = { queryPrefix: '', passagePrefix: '', similarityThreshold: null };

export interface OpenAiEmbeddingOptions extends OpenAiOptions {
  /** Maximum number of texts in one request. */
  batchSize?: number;
  /** Maximum number of tokens that the model reads of one text. */
  contextTokens?: number;
}

/**
 * @returns a capability whose `dimension` is null until the first answer and fixed from then on; an answer of another
 * size is `provider_bad_answer`. Texts over the token limit are cut (`truncated_texts:n`). A batch that is too large
 * for the server is halved; a single text that is too large halves the token limit, for later texts too.
 */
export function createOpenAiEmbedding(
  options: OpenAiEmbeddingOptions,
  traits: EmbeddingTraits = NO_TRAITS,
): EmbeddingCapability {
  const api = createOpenAiApi(options);
  const { batchSize = MAX_TEXTS_PER_REQUEST, contextTokens = MAX_TOKENS_PER_TEXT } = options;
  let dimension: number | null = null;
  let mostTokens = contextTokens;

  async function embed(input: string[], context: CallContext) {
    const request = { model: api.model, input, encoding_format: 'float' as const };
    const answer = await requestJson(
      api,
      context,
      (client, requestOptions) => client.embeddings.create(request, requestOptions),
      MAX_VECTORS_BYTES,
    );
    const usage = await bill(api, context, answer, { ...tokenUsage(answer.body), outputTokens: null });
    const vectors = readVectors(answer.body, input.length);
    const size = vectors[0]?.length ?? 0;
    if (dimension !== null && size !== dimension) throw badAnswer('the vectors have a different size than before');
    dimension = size;
    return { vectors, requestId: answer.requestId, usage };
  }

  async function embedWithin(input: string[], context: CallContext): ReturnType<typeof embed> {
    try {
      return await embed(input, context);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== 'provider_input_too_large') throw error;
      const [only = '', ...others] = input;
      if (others.length > 0) return embedHalves(input, context);
      const half = Math.floor(Math.min(mostTokens, estimateTokens(only)) / 2);
      if (half < MIN_TOKENS) throw error;
      mostTokens = Math.min(mostTokens, half);
      return embedWithin([truncateToTokens(only, half)], context);
    }
  }

  async function embedHalves(input: string[], context: CallContext): ReturnType<typeof embed> {
    const half = Math.ceil(input.length / 2);
    const left = await embedWithin(input.slice(0, half), context);
    const right = await embedWithin(input.slice(half), context);
    const usage = addUsage(left.usage, right.usage);
    return { vectors: [...left.vectors, ...right.vectors], requestId: right.requestId, usage };
  }

  async function embedAll(texts: string[], prefix: string, context: CallContext) {
    if (texts.some((text) => truncateToTokens(text, mostTokens).trim() === ''))
      throw new ProviderError('permanent', 'empty_text', 'An empty text has no embedding');
    const whole = prefix === '' ? texts : texts.map((text) => `${prefix} ${text}`);
    const inputs = whole.map((text) => truncateToTokens(text, mostTokens));
    const truncated = inputs.filter((input, index) => input !== whole[index]).length;
    const value: Float32Array[] = [];
    let usage: Usage | null = null;
    let requestId: string | null = null;
    for (const batch of planBatches(inputs, batchSize)) {
      const answer = await embedWithin(batch, context);
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

/** Embeddings by the embeddings endpoint: exactly one checked, normalised vector for each text. */
import { ProviderError } from '../../errors.ts';
import { oneVector } from '../../oneVector.ts';
import type { EmbeddingTraits } from './embeddingTraits.ts';
import type { CallContext, EmbeddingCapability, Usage } from '../../types.ts';
import { createOpenAiApi, requestJson, type OpenAiApi, type OpenAiOptions } from '../calls/openAiApi.ts';
import { MAX_VECTORS_BYTES } from '../calls/answerLimits.ts';
import { BATCH_SIZES } from '../calls/batchSizes.ts';
import { createBatchEmbedder, type Embedded, type Limits } from './embeddingBatches.ts';
import { embeddingModelName } from './embeddingModelName.ts';
import { boundTokens, MAX_TOKENS_PER_TEXT, planBatches, truncateToTokens } from './embeddingLimits.ts';
import { readVectors } from './embeddingVectors.ts';
import { badAnswer } from '../calls/serverErrors.ts';
import { createLearnedSize, type LearnedSize } from '../calls/learnedSize.ts';
import { addUsage, bill, NO_CALLS, provenanceOf, tokenUsage } from '../calls/callUsage.ts';

/** The provider's limit of inputs. One run may become several requests. */
const MAX_TEXTS = 2_048;
const NO_TRAITS: EmbeddingTraits = { queryPrefix: '', passagePrefix: '', similarityThreshold: null };

export interface OpenAiEmbeddingOptions extends OpenAiOptions {
  /** Maximum number of texts in one request. */
  batchSize?: number;
  /** Maximum number of tokens that the model reads of one text. */
  contextTokens?: number;
}

/**
 * @returns a capability whose `dimension` is null until the first answer and fixed from then on; an answer of another
 * size is `provider_bad_answer`. Texts over the token limit are cut (`truncated_texts:n`). If the server names a
 * smaller limit, all texts are cut to it; otherwise a batch that is too large is halved, and so is the token limit if a
 * single text is too large. That applies to the run, and to later ones once several items have shown it
 * (learnedSize.ts).
 */
export function createOpenAiEmbedding(
  options: OpenAiEmbeddingOptions,
  traits: EmbeddingTraits = NO_TRAITS,
): EmbeddingCapability {
  const api = createOpenAiApi(options);
  const { batchSize = BATCH_SIZES.embedding.usual, contextTokens = MAX_TOKENS_PER_TEXT } = options;
  let dimension: number | null = null;
  const tokens = createLearnedSize(contextTokens);
  const texts = createLearnedSize(batchSize);

  async function embed(input: string[], context: CallContext): Promise<Embedded> {
    const embedded = await requestVectors(api, input, context);
    const size = embedded.vectors[0]?.length ?? 0;
    if (dimension !== null && size !== dimension) throw badAnswer('the vectors have a different size than before');
    dimension = size;
    return embedded;
  }

  const embedWithin = createBatchEmbedder(embed, (limit) => tokens.limited(limit));

  async function embedAll(given: string[], prefix: string, context: CallContext) {
    const atFirst: Limits = { tokens: tokens.current(), texts: texts.current() };
    if (given.some((text) => truncateToTokens(text, atFirst.tokens).trim() === ''))
      throw new ProviderError('permanent', 'empty_text', 'An empty text has no embedding');
    const whole = prefix === '' ? given : given.map((text) => `${prefix} ${text}`);
    const inputs = whole.map((text) => truncateToTokens(text, atFirst.tokens));
    const limits = { ...atFirst };
    const value: Float32Array[] = [];
    let usage: Usage | null = null;
    let requestId: string | null = null;
    for (const batch of planBatches(inputs, atFirst.texts)) {
      const answer = await embedWithin(batch, limits, context);
      value.push(...answer.vectors);
      usage = addUsage(usage, answer.usage);
      requestId = answer.requestId;
    }
    learn({ tokens, texts }, { inputs, item: context.item }, atFirst, limits);
    const truncated = whole.filter((text) => truncateToTokens(text, limits.tokens) !== text).length;
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
    run: (passages, context) => embedAll(passages, traits.passagePrefix, context),
    embedQuery: (query, context) =>
      oneVector((queries) => embedAll(queries, traits.queryPrefix, context), query, context),
  };
}

async function requestVectors(api: OpenAiApi, input: string[], context: CallContext): Promise<Embedded> {
  const request = { model: api.model, input, encoding_format: 'float' as const };
  const answer = await requestJson(
    api,
    context,
    (client, requestOptions) => client.embeddings.create(request, requestOptions),
    MAX_VECTORS_BYTES,
  );
  const usage = await bill(api, context, answer, { ...tokenUsage(answer.body), outputTokens: null });
  return { vectors: readVectors(answer.body, input.length), requestId: answer.requestId, usage };
}

/**
 * Remembers what a run shows about the server, apart from limits that it named.
 * @param given the limits with which the run began
 * @param limits the limits with which it ended
 */
function learn(
  { tokens, texts }: { tokens: LearnedSize; texts: LearnedSize },
  { inputs, item }: { inputs: readonly string[]; item: string | undefined },
  given: Limits,
  limits: Limits,
): void {
  const longest = Math.max(0, ...inputs.map(boundTokens));
  if (limits.tokens === given.tokens) tokens.worked(Math.min(longest, limits.tokens));
  else if (limits.tokens < tokens.current()) tokens.refused({ item, read: limits.tokens });
  if (limits.texts === given.texts) texts.worked(Math.min(inputs.length, limits.texts));
  else if (limits.texts < texts.current()) texts.refused({ item, read: limits.texts });
}

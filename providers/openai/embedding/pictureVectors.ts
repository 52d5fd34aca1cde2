/**
 * Vectors of pictures and of words in one space, from a server with OpenAI's `/embeddings` and one of its two
 * extensions for pictures: Jina's, whose inputs are objects, or Infinity's, which states the kind of its inputs.
 */
import { readFile } from 'node:fs/promises';
import type { PictureProtocol } from './embeddingTraits.ts';
import type { CallContext, PictureEmbedding, ProviderResult } from '../../types.ts';
import { MAX_VECTORS_BYTES } from '../calls/answerLimits.ts';
import { createOpenAiApi, requestJson, type OpenAiOptions } from '../calls/openAiApi.ts';
import { readVectors } from './embeddingVectors.ts';
import { badAnswer } from '../calls/serverErrors.ts';
import { bill, provenanceOf, tokenUsage } from '../calls/callUsage.ts';

export interface PictureEmbeddingOptions extends OpenAiOptions {
  protocol: PictureProtocol;
  /** Maximum number of pictures in one request. */
  batchSize: number;
  similarityThreshold: number | null;
}

type Inputs = { pictures: readonly string[] } | { text: string };

/**
 * Request body in addition to the model.
 * @param pictures JPEG in base64
 */
const BODIES: Record<PictureProtocol, (inputs: Inputs) => Record<string, unknown>> = {
  jina: (inputs) => ({
    input: 'text' in inputs ? [{ text: inputs.text }] : inputs.pictures.map((image) => ({ image })),
    embedding_type: 'float',
    normalized: true,
  }),
  infinity: (inputs) => ({
    input: 'text' in inputs ? [inputs.text] : inputs.pictures.map((image) => `data:image/jpeg;base64,${image}`),
    encoding_format: 'float',
    modality: 'text' in inputs ? 'text' : 'image',
  }),
};

/** @returns a capability whose vectors all have the size of its first answer; another size is `provider_bad_answer` */
export function createPictureEmbedding(options: PictureEmbeddingOptions): PictureEmbedding {
  const api = createOpenAiApi(options);
  const bodyOf = BODIES[options.protocol];
  let dimension: number | null = null;

  async function embed(inputs: Inputs, context: CallContext): Promise<ProviderResult<Float32Array[]>> {
    const count = 'text' in inputs ? 1 : inputs.pictures.length;
    const body = { model: api.model, ...bodyOf(inputs) };
    const answer = await requestJson(
      api,
      context,
      (client, request) => client.post('/embeddings', { body, ...request }),
      MAX_VECTORS_BYTES,
    );
    const images = 'text' in inputs ? null : count;
    const usage = await bill(api, context, answer, { ...tokenUsage(answer.body), outputTokens: null, images });
    const value = readVectors(answer.body, count);
    const size = value[0]?.length ?? 0;
    if (dimension !== null && size !== dimension) throw badAnswer('the vectors have a different size than before');
    dimension = size;
    return { value, provenance: provenanceOf(api, answer.requestId), usage, warnings: [] };
  }

  return {
    model: options.model,
    batchSize: options.batchSize,
    similarityThreshold: options.similarityThreshold,
    async run(frames, context) {
      const files = await Promise.all(frames.map(({ path }) => readFile(path)));
      return embed({ pictures: files.map((file) => file.toString('base64')) }, context);
    },
    async embedQuery(query, context) {
      const { value, ...rest } = await embed({ text: query }, context);
      const [vector] = value;
      if (!vector) throw badAnswer('it has no vector');
      return { ...rest, value: vector };
    },
  };
}

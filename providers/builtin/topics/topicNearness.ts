/** Nearness of a text to each topic: the similarity of its vector to that of the topic's words. */
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import { chunkText } from '../../../domain/analysis/searchChunks.ts';
import type { CallContext, EmbeddingCapability, SummaryInput } from '../../types.ts';
import { zonesOf } from '../text/weightedTextZones.ts';

/** Similarity by the topic's id, from -1 to 1. */
export type Nearness = ReadonlyMap<string, number>;

/** Maximum characters of a text; its first search chunk is shorter. */
const MAX_CHARACTERS = 4_000;

export type NearnessOf = (item: SummaryInput, context: CallContext) => Promise<Nearness | null>;

/** @param embedding whose vectors represent the meaning of texts in any language */
export function createNearness(embedding: EmbeddingCapability): NearnessOf {
  let topics: Promise<readonly { id: string; vector: Float32Array }[]> | undefined;

  /** Half a second of work, done once; a failure is not cached. */
  const vectorsOfTopics = (context: CallContext): NonNullable<typeof topics> =>
    (topics ??= embedTopics(embedding, context).catch((error: unknown) => {
      topics = undefined;
      throw error;
    }));

  return async (item, context) => {
    const text = firstChunk(item);
    if (text === undefined) return null;
    const known = await vectorsOfTopics(context);
    const [vector] = (await embedding.run([text], context)).value;
    if (vector === undefined) return null;
    return new Map(known.map((topic) => [topic.id, similarity(topic.vector, vector)]));
  };
}

/** The words of one language suffice, since the vectors represent meaning. */
async function embedTopics(
  embedding: EmbeddingCapability,
  context: CallContext,
): Promise<{ id: string; vector: Float32Array }[]> {
  const texts = topicWords.map(({ topic, english }) =>
    [topic.en, ...english.map((words) => words.join(' '))].join(', '),
  );
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += embedding.batchSize)
    vectors.push(...(await embedding.run(texts.slice(start, start + embedding.batchSize), context)).value);
  return topicWords.flatMap(({ topic }, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ id: topic.id, vector }];
  });
}

/**
 * Returns the same text as the search chunk of the item's own text, whose vector is needed too; else what was said or
 * seen.
 */
function firstChunk(item: SummaryInput): string | undefined {
  const own = [item.title, item.description, item.body].filter((text) => text?.trim()).join('\n');
  const texts = zonesOf(item).zones.map(({ text }) => text);
  const isPoor = own.length < 200 && texts.join('').length > own.length;
  const [chunk] = chunkText((isPoor ? texts.join('\n') : own).slice(0, MAX_CHARACTERS));
  return chunk?.text.replace(CAPITALS, (line) => line.toLowerCase());
}

/** Words in capitals throughout, as on signs and posters; the vectors know hardly any of them in this form. */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{2,}(?:[^\p{L}\n]+\p{Lu}+)+(?![\p{L}\p{N}])/gu;

/** Cosine of two unit vectors. */
function similarity(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/**
 * Nearness of a text to topics: the similarity of its vector to those of the words of the list of interests, and to
 * those of the names that a project gives its topics.
 */
import { LRUCache } from 'lru-cache';
import { topics } from '../../../domain/dictionaries/interests.ts';
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import { chunkText } from '../../../domain/analysis/searchChunks.ts';
import type { CallContext, EmbeddingCapability, SummaryInput } from '../../types.ts';
import { zonesOf } from '../text/weightedTextZones.ts';

/** Similarity by the topic's id, from -1 to 1. */
export type TopicSimilarities = ReadonlyMap<string, number>;

/** How near a text is to topics. */
export interface TextSimilarities {
  toTopics: TopicSimilarities;
  /**
   * By the name of each topic that the project allows: by how many standard deviations the text is nearer to it than to
   * the mean name of a topic of the list of interests, which removes what all names have in common.
   */
  toNames: ReadonlyMap<string, number>;
}

/** Maximum characters of a text; its first search chunk is shorter. */
const MAX_CHARACTERS = 4_000;
/** Number of cached vectors of names, 2 KB each: the topics of ten projects. */
const MAX_NAMES = 2_000;

export interface TopicNearness {
  /** Returns null for an item without text. */
  similaritiesOf(item: SummaryInput, context: CallContext): Promise<TextSimilarities | null>;
}

type Language = 'ru' | 'en';

/** @param embedding whose vectors represent the meaning of texts in any language */
export function createNearness(embedding: EmbeddingCapability): TopicNearness {
  const vectorsOfTopics = once((context) => embedTopics(embedding, context));
  const names = new LRUCache<string, Float32Array>({ max: MAX_NAMES });
  const interests = {
    ru: once((context) => embedAll(embedding, namesOfInterests('ru'), context)),
    en: once((context) => embedAll(embedding, namesOfInterests('en'), context)),
  };

  /** Returns the vectors themselves, because those of other projects may push them out of the cache meanwhile. */
  async function embedNames(allowed: readonly string[], context: CallContext): Promise<Map<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    for (const name of allowed) {
      const vector = names.get(name);
      if (vector !== undefined) vectors.set(name, vector);
    }
    const unknown = allowed.filter((name) => !vectors.has(name));
    for (const [at, vector] of (await embedAll(embedding, unknown, context)).entries()) {
      const name = unknown[at] ?? '';
      names.set(name, vector);
      vectors.set(name, vector);
    }
    return vectors;
  }

  /** Names and interests are compared in one language, since a text is nearer to all names in its own. */
  async function toNames(
    vector: Float32Array,
    allowed: readonly string[],
    context: CallContext,
  ): Promise<Map<string, number>> {
    const vectors = await embedNames(allowed, context);
    const scales: Partial<Record<Language, (similarity: number) => number>> = {};
    const deviations = new Map<string, number>();
    for (const [name, own] of vectors) {
      const language = /\p{Script=Cyrillic}/u.test(name) ? 'ru' : 'en';
      const scale = (scales[language] ??= standard((await interests[language](context)).map(similarityTo(vector))));
      deviations.set(name, scale(similarity(own, vector)));
    }
    return deviations;
  }

  return {
    async similaritiesOf(item, context) {
      const text = firstChunk(item);
      if (text === undefined) return null;
      const known = await vectorsOfTopics(context);
      const [vector] = (await embedding.run([text], context)).value;
      if (vector === undefined) return null;
      return {
        toTopics: new Map(known.map((topic) => [topic.id, similarity(topic.vector, vector)])),
        toNames: await toNames(vector, item.topicsAllowed, context),
      };
    },
  };
}

/**
 * Runs work that takes about a second once per process. A failure is not cached. If the caller that started it is
 * cancelled, one of those that wait for it starts it again.
 */
function once<T>(work: (context: CallContext) => Promise<T>): (context: CallContext) => Promise<T> {
  let shared: { result: Promise<T>; signal: AbortSignal } | undefined;
  return async function share(context): Promise<T> {
    const current = (shared ??= { result: work(context), signal: context.signal });
    try {
      return await current.result;
    } catch (error) {
      if (shared === current) shared = undefined;
      if (!current.signal.aborted || context.signal.aborted) throw error;
      return share(context);
    }
  };
}

function namesOfInterests(language: Language): string[] {
  return [...topics.values()].map((topic) => topic[language]);
}

/** Returns a function that expresses values in standard deviations from the mean of others. */
function standard(values: readonly number[]): (value: number) => number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return (value) => (deviation > 0 ? (value - mean) / deviation : 0);
}

async function embedAll(
  embedding: EmbeddingCapability,
  texts: readonly string[],
  context: CallContext,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += embedding.batchSize)
    vectors.push(...(await embedding.run(texts.slice(start, start + embedding.batchSize), context)).value);
  return vectors;
}

/** The words of one language suffice, since the vectors represent meaning. */
async function embedTopics(
  embedding: EmbeddingCapability,
  context: CallContext,
): Promise<{ id: string; vector: Float32Array }[]> {
  const texts = topicWords.map(({ topic, english }) =>
    [topic.en, ...english.map((words) => words.join(' '))].join(', '),
  );
  const vectors = await embedAll(embedding, texts, context);
  return topicWords.flatMap(({ topic }, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ id: topic.id, vector }];
  });
}

/**
 * Returns the text of the first search chunk of the item's own text, whose vector is needed too; else what was said or
 * seen. Only words in capitals throughout are changed to lower case.
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

function similarityTo(vector: Float32Array): (other: Float32Array) => number {
  return (other) => similarity(other, vector);
}

/** Cosine of two unit vectors. */
function similarity(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

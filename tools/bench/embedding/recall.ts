/**
 * Measures what a model finds: each paraphrase is a search over all documents, and the right answer is the document
 * that it paraphrases.
 */
import { chunkText } from '../../../domain/analysis/searchChunks.ts';
import type { CallContext, EmbeddingCapability } from '../../../providers/types.ts';
import type { Figure } from '../support/report.ts';
import type { Document, Pairs } from './pairs.ts';

/** A query with its similarity to each document. */
interface Search {
  /** Languages of the query and of its document, such as `ru-en`. */
  languages: string;
  answer: string;
  similarities: { id: string; similarity: number }[];
}

/** Share of unrelated pairs that must stay below the threshold. */
const UNRELATED_BELOW = 0.95;

export async function measureRecall(
  embedding: EmbeddingCapability,
  pairs: Pairs,
  context: CallContext,
): Promise<Figure[]> {
  const searches = await searchAll(embedding, pairs, context);
  const groups = {
    'all 100': searches,
    'in one language': searches.filter(({ languages }) => ['ru-ru', 'en-en'].includes(languages)),
    'across languages': searches.filter(({ languages }) => ['ru-en', 'en-ru'].includes(languages)),
  };
  const recalls = Object.entries(groups).flatMap(([group, some]) =>
    [1, 5].map((places) => share(`recall@${places}, ${group}`, recallAt(some, places))),
  );
  return [...recalls, ...thresholds(searches, embedding.similarityThreshold)];
}

async function searchAll(
  embedding: EmbeddingCapability,
  { documents, paraphrases }: Pairs,
  context: CallContext,
): Promise<Search[]> {
  const indexed: { id: string; vectors: Float32Array[] }[] = [];
  for (const document of documents)
    indexed.push({ id: document.id, vectors: await chunkVectors(embedding, document, context) });
  const languageOf = new Map(documents.map(({ id, language }) => [id, language]));
  const searches: Search[] = [];
  for (const { query, language, document } of paraphrases) {
    const vector = (await embedding.embedQuery(query, context)).value;
    const similarities = indexed.map(({ id, vectors }) => ({
      id,
      similarity: Math.max(...vectors.map((chunk) => dot(vector, chunk))),
    }));
    searches.push({ languages: `${language}-${languageOf.get(document)}`, answer: document, similarities });
  }
  return searches;
}

/** Computes vectors of chunks as the analysis does. */
async function chunkVectors(
  embedding: EmbeddingCapability,
  { title, text }: Document,
  context: CallContext,
): Promise<Float32Array[]> {
  const chunks = chunkText(`${title}\n${text}`).map((chunk) => chunk.text);
  return (await embedding.run(chunks, context)).value;
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

/**
 * Returns the share of searches whose answer is among the first `places`; among equally similar documents, the answer
 * counts as the last.
 */
function recallAt(searches: readonly Search[], places: number): number {
  const found = searches.filter(({ answer, similarities }) => {
    const own = similarities.find(({ id }) => id === answer)?.similarity ?? 0;
    return similarities.filter(({ id, similarity }) => id !== answer && similarity >= own).length < places;
  });
  return found.length / searches.length;
}

/** Chooses the threshold between related and unrelated documents, and shows what it costs. */
function thresholds(searches: readonly Search[], inForce: number | null): Figure[] {
  const isAnswer = (search: Search, id: string): boolean => id === search.answer;
  const all = searches.flatMap((search) =>
    search.similarities.map(({ id, similarity }) => ({ similarity, related: isAnswer(search, id) })),
  );
  const sorted = all
    .filter(({ related }) => !related)
    .map(({ similarity }) => similarity)
    .sort((a, b) => a - b);
  const threshold = sorted[Math.floor(sorted.length * UNRELATED_BELOW)] ?? 0;
  const related = all.filter((pair) => pair.related);
  const kept = (limit: number): number =>
    related.filter(({ similarity }) => similarity >= limit).length / related.length;
  return [
    { name: 'similarity that 95 % of unrelated pairs stay below', value: threshold, unit: '', aim: null },
    share('paraphrases at or above that similarity', kept(threshold)),
    ...(inForce === null
      ? []
      : [
          { name: 'the threshold in force', value: inForce, unit: '', aim: null },
          share('paraphrases at or above the threshold', kept(inForce)),
          share(
            'unrelated pairs at or above the threshold',
            sorted.filter((value) => value >= inForce).length / sorted.length,
          ),
        ]),
  ];
}

function share(name: string, value: number): Figure {
  return { name, value: value * 100, unit: '%', aim: null };
}

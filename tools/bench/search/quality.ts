/**
 * Checks that words and meaning combined find the right document as well as the better of the two:
 * `tools/bench/output/pairs.json`.
 */
import { itemVector, type ItemVector } from '../../../domain/output/vectors.ts';
import { answerSearch } from '../../../output/search/match/answerSearch.ts';
import type { EmbeddingCapability } from '../../../providers/types.ts';
import { createModel } from '../embedding/models.ts';
import { readPairs } from '../embedding/pairs.ts';
import type { Figure } from '../support/report.ts';
import { catalogueOf, indexOf, QUESTION, searchContextOf, type MappedItem } from './stage.ts';

const PLACES = 5;
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };

interface Asked {
  query: string;
  document: string;
}

export async function measureQuality(): Promise<Figure[]> {
  const { embedding, close } = await createModel('sentence encoder');
  const { documents, paraphrases } = readPairs();
  const place = async (vector: Promise<Float32Array>): Promise<ItemVector | null> => {
    const placed = itemVector([await vector]);
    return placed && { ...placed, model: embedding.model };
  };
  const items: MappedItem[] = [];
  for (const { id, title, text } of documents) {
    const placed = await place(
      embedding.run([`${title}\n${text}`], CONTEXT).then(({ value }) => value[0] ?? new Float32Array()),
    );
    const none = { author: null, tags: [], topics: [], entities: [], summary: null, speech: [], pictures: [] };
    items.push({
      id,
      title,
      texts: [text],
      placed,
      publishedAt: new Date(0),
      properties: { price: 0, level: '', parts: [] },
      ...none,
    });
  }
  const searched = searchContextOf(catalogueOf(items, []), indexOf(items));
  const sets: Record<string, Asked[]> = {
    paraphrases,
    'exact titles': documents.map(({ id, title }) => ({ query: title, document: id })),
    // Four words, because nobody would search for a single word from the middle of a text.
    'four words of the text': documents.map(({ id, text }) => ({
      query: text.split(/\s+/).slice(6, 10).join(' '),
      document: id,
    })),
  };
  const figures: Figure[] = [];
  for (const [name, asked] of Object.entries(sets))
    for (const [kind, semantic] of [
      ['words', 0],
      ['meaning', 1],
      ['both', 'auto'],
    ] as const) {
      let found = 0;
      for (const { query, document } of asked) {
        const meaning = semantic === 0 ? null : await meaningOf(embedding, place, query);
        const reply = answerSearch({ ...searched, meaning }, { ...QUESTION, query, semantic, limit: PLACES });
        if (reply.found.some(({ id }) => id === document)) found += 1;
      }
      figures.push({ name: `recall@${PLACES} of ${name}, ${kind}`, value: found / asked.length, unit: '', aim: null });
    }
  await close();
  return figures;
}

async function meaningOf(
  embedding: EmbeddingCapability,
  place: (vector: Promise<Float32Array>) => Promise<ItemVector | null>,
  query: string,
): Promise<{ placed: ItemVector; threshold: number } | null> {
  const placed = await place(embedding.embedQuery(query, CONTEXT).then(({ value }) => value));
  return placed && { placed, threshold: embedding.similarityThreshold ?? 0 };
}

/**
 * Reads what an answer shows of its items: texts with the query's words marked, and the moments of media where the
 * words occur, or that the query means.
 */
import {
  readItemExcerpts,
  readPictures,
  type ChunkText,
  type ExcerptQuery as ItemExcerptQuery,
  type ItemExcerpts,
  type ItemTexts,
} from '../../../db/search/excerpts.ts';
import { isStatementTimeout } from '../../../db/errors.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Marks, WordForms } from '../../messages/searchMessages.ts';
import { Marker, type Range } from './highlights.ts';
import { momentOf, momentsOf, withPicture, type Moment } from './moments.ts';
import { readNearestMoments, type MomentQuery } from './nearestMoments.ts';
import { wordPatterns } from './wordPatterns.ts';

export const HIGHLIGHT_FIELDS = ['title', 'tags', 'summary', 'text'] as const;

export interface Highlight {
  field: (typeof HIGHLIGHT_FIELDS)[number];
  text: string;
  ranges: Range[];
}

export interface Excerpts {
  highlights: Highlight[];
  chunks: Moment[];
}

interface HitExcerptQuery extends MomentQuery {
  highlight: boolean;
  /** Forms of the marks' stems, as far as they are known. */
  forms: WordForms;
  /** The pictures by which items were found, their numbers by item. */
  pictures: ReadonlyMap<string, number>;
}

export async function readExcerpts(
  pool: Queryable,
  { projectId, ids, highlight, forms, pictures, meaning, model }: HitExcerptQuery,
  marks: Marks,
): Promise<Map<string, Excerpts>> {
  const { each: words, any: anyWord } = wordPatterns(marks, forms);
  if (ids.length === 0 || (anyWord === null && pictures.size === 0 && meaning === null)) return new Map();
  const shownPictures = new Map([...pictures].filter(([id]) => ids.includes(id)));
  const [items, pictureTexts] = await Promise.all([
    readInTime(pool, projectId, { ids, texts: highlight, words, anyWord }),
    readPictures(pool, projectId, shownPictures),
  ]);
  const pictureOf = new Map(pictureTexts.map((picture) => [picture.itemId, picture]));
  const marker = new Marker(marks);
  const moments = new Map([...items].map(([id, { chunks }]) => [id, momentsOf(chunks, marker)]));
  const withoutMoments = ids.filter((id) => moments.get(id)?.length === 0 && items.get(id)?.hasMedia);
  const nearest = await readNearestMoments(pool, { projectId, ids: withoutMoments, meaning, model });
  for (const [id, moment] of nearest) moments.set(id, [momentOf(moment, marker)]);
  return new Map(
    [...items].map(([id, { texts, chunks }]) => [
      id,
      {
        highlights: texts ? highlightsOf(texts, chunks, marker) : [],
        chunks: withPicture(moments.get(id) ?? [], pictureOf.get(id)),
      },
    ]),
  );
}

/** Reads no chunks after a statement timeout: an answer without moments is better than none. */
async function readInTime(
  pool: Queryable,
  projectId: string,
  query: ItemExcerptQuery,
): Promise<Map<string, ItemExcerpts>> {
  try {
    return await readItemExcerpts(pool, projectId, query);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    return readItemExcerpts(pool, projectId, { ...query, words: [], anyWord: null });
  }
}

function highlightsOf(
  { title, tags, summary, description }: ItemTexts,
  chunks: readonly ChunkText[],
  marker: Marker,
): Highlight[] {
  const own = chunks.filter(({ mediaPosition }) => mediaPosition === null).map(({ text }) => text);
  const fragment = bestFragment([...own, ...(description === null ? [] : [description])], marker);
  const shown: [Highlight['field'], string | null][] = [
    ['title', title],
    ...tags.map((tag): [Highlight['field'], string] => ['tags', tag]),
    ['summary', summary],
    ['text', fragment],
  ];
  return shown.flatMap(([field, text]) => {
    const ranges = text === null ? [] : marker.rangesIn(text);
    return text === null || ranges.length === 0 || (field === 'text' && text === title)
      ? []
      : [{ field, text, ranges }];
  });
}

/** Returns a fragment of the text that contains the most words. */
function bestFragment(texts: readonly string[], marker: Marker): string | null {
  const [first] = texts
    .map((text) => ({ text, words: marker.wordsIn(text) }))
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words);
  return first ? marker.fragmentOf(first.text) : null;
}

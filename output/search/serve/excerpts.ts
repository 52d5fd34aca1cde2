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
  type PictureText,
} from '../../../db/search/excerpts.ts';
import { isStatementTimeout } from '../../../db/errors.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Marks, WordForms } from '../../messages/searchMessages.ts';
import { Marker, type Range } from './highlights.ts';
import { readNearestMoments, type MomentQuery } from './nearestMoments.ts';
import { wordPatterns } from './wordPatterns.ts';

export const HIGHLIGHT_FIELDS = ['title', 'tags', 'summary', 'text'] as const;

export interface Highlight {
  field: (typeof HIGHLIGHT_FIELDS)[number];
  text: string;
  ranges: Range[];
}

export interface Moment {
  media_position: number;
  start_sec: number | null;
  end_sec: number | null;
  text: string;
  chapter?: string;
  /** The picture by which the item was found; absent when words found the moment. */
  frame?: MomentFrame;
}

export interface MomentFrame {
  /** Seconds from the start of the medium; null for an image. */
  ts: number | null;
  blobKey: string;
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

const MAX_MOMENTS = 3;

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

/** Adds the moment of a picture as the last one; it replaces a third moment found by words. */
function withPicture(moments: readonly Moment[], picture: PictureText | undefined): Moment[] {
  if (picture === undefined) return [...moments];
  const { mediaPosition, ts, blobKey, text } = picture;
  const moment = {
    media_position: mediaPosition,
    start_sec: ts,
    end_sec: ts,
    text: text ?? '',
    frame: { ts, blobKey },
  };
  return [...moments.slice(0, MAX_MOMENTS - 1), moment];
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

/** Returns moments, those with the most words first. */
function momentsOf(chunks: readonly ChunkText[], marker: Marker): Moment[] {
  return chunks
    .flatMap(({ mediaPosition, text, ...rest }) =>
      mediaPosition === null ? [] : [{ mediaPosition, text, ...rest, words: marker.wordsIn(text) }],
    )
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
    .slice(0, MAX_MOMENTS)
    .map((moment) => momentOf(moment, marker));
}

function momentOf(
  { mediaPosition, startSec, endSec, text, chapter }: ChunkText & { mediaPosition: number },
  marker: Marker,
): Moment {
  return {
    media_position: mediaPosition,
    start_sec: startSec,
    end_sec: endSec,
    text: marker.fragmentOf(text),
    ...(chapter !== null && { chapter }),
  };
}

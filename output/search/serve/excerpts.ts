/**
 * Reads what an answer shows of its items: texts with the query's words marked, and the moments of media where the
 * words occur, or that the query means.
 */
import {
  CHUNKS_READ,
  readItemExcerpts,
  readPictures,
  type ChunkText,
  type ItemExcerpts,
  type ItemTexts,
  type PictureText,
} from '../../../db/search/excerpts.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Marks } from '../searchMessages.ts';
import { sureBeginning } from '../text/indexedWords.ts';
import { Marker, type Range } from './highlights.ts';
import { readMeantMoments, type MomentsWanted } from './meantMoments.ts';

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

interface ExcerptsWanted extends MomentsWanted {
  highlight: boolean;
  /** The pictures by which items were found, their numbers by item. */
  pictures: ReadonlyMap<string, number>;
}

const MAX_MOMENTS = 3;
/** Maximum number of prefixes that chunks are searched by. */
const MAX_BEGINNINGS = 20;

export async function readExcerpts(
  pool: Queryable,
  { projectId, ids, highlight, pictures, meaning, model }: ExcerptsWanted,
  marks: Marks,
): Promise<Map<string, Excerpts>> {
  const hasWords = marks.stems.length + marks.prefixes.length > 0;
  if (ids.length === 0 || (!hasWords && pictures.size === 0 && meaning === null)) return new Map();
  const shown = new Map([...pictures].filter(([id]) => ids.includes(id)));
  const beginnings = [...marks.prefixes, ...marks.stems].slice(0, MAX_BEGINNINGS).map(sureBeginning);
  const [items, seen] = await Promise.all([
    readItemExcerpts(pool, projectId, { ids, texts: highlight, beginnings }),
    readPictures(pool, projectId, shown),
  ]);
  const pictureOf = new Map(seen.map((picture) => [picture.itemId, picture]));
  const marker = new Marker(marks);
  const moments = new Map([...items].map(([id, { chunks }]) => [id, momentsOf(chunks, marker)]));
  const silent = ids.filter((id) => moments.get(id)?.length === 0 && mayHaveMoments(items.get(id)));
  const meant = await readMeantMoments(pool, { projectId, ids: silent, meaning, model });
  for (const [id, moment] of meant) moments.set(id, [momentOf(moment, marker)]);
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

/** Returns false for an item without media, and for one all of whose chunks are known and are its own text. */
function mayHaveMoments({ chunks = [], hasMedia = false }: Partial<ItemExcerpts> = {}): boolean {
  return hasMedia && (chunks.length >= CHUNKS_READ || chunks.some(({ mediaPosition }) => mediaPosition !== null));
}

/** Adds the moment of a picture as the last one; it replaces a third moment found by words. */
function withPicture(moments: readonly Moment[], picture: PictureText | undefined): Moment[] {
  if (picture === undefined) return [...moments];
  const { mediaPosition, ts, blobKey, text } = picture;
  const seen = { media_position: mediaPosition, start_sec: ts, end_sec: ts, text: text ?? '', frame: { ts, blobKey } };
  return [...moments.slice(0, MAX_MOMENTS - 1), seen];
}

function highlightsOf(
  { title, tags, summary, description }: ItemTexts,
  chunks: readonly ChunkText[],
  marker: Marker,
): Highlight[] {
  const own = chunks.filter(({ mediaPosition }) => mediaPosition === null).map(({ text }) => text);
  const fragment = best([...own, ...(description === null ? [] : [description])], marker);
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
function best(texts: readonly string[], marker: Marker): string | null {
  const [first] = texts
    .map((text) => ({ text, words: marker.wordsIn(text) }))
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words);
  return first ? marker.fragmentOf(first.text) : null;
}

/** Returns moments, those with the most words first. */
function momentsOf(chunks: readonly ChunkText[], marker: Marker): Moment[] {
  return chunks
    .flatMap(({ mediaPosition, text, ...place }) =>
      mediaPosition === null ? [] : [{ mediaPosition, text, ...place, words: marker.wordsIn(text) }],
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

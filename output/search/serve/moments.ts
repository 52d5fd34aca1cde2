/** The moments of media that an answer shows of an item (`chunks`), by the words of the query or by a picture. */
import type { ChunkText, PictureText } from '../../../db/search/excerpts.ts';
import type { Marker } from './highlights.ts';

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

/** Maximum number of moments of an item. */
const MAX_MOMENTS = 3;

/** Returns moments, those with the most words first. */
export function momentsOf(chunks: readonly ChunkText[], marker: Marker): Moment[] {
  return chunks
    .flatMap(({ mediaPosition, text, ...rest }) =>
      mediaPosition === null ? [] : [{ mediaPosition, text, ...rest, words: marker.wordsIn(text) }],
    )
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
    .slice(0, MAX_MOMENTS)
    .map((moment) => momentOf(moment, marker));
}

export function momentOf(
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

/** Adds the moment of a picture as the last one; it replaces a third moment found by words. */
export function withPicture(moments: readonly Moment[], picture: PictureText | undefined): Moment[] {
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

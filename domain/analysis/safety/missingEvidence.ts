/** The parts of an item that nobody has seen or heard. Such a part never counts as harmless. */
import type { Summary } from '../results.ts';

/** A place of a picture in the item. */
export interface PicturePlace {
  mediumId: string;
  /** Seconds from the start of the medium. */
  ts: number;
}

export interface ExaminedMedium {
  /** False until its file has been downloaded and decoded; it stays false if that fails. */
  isPrepared: boolean;
  /**
   * The result covers only a part: the medium exceeds the duration limit, the file ends early, only the first of its
   * pictures is decoded, or a long strip becomes too narrow to be seen.
   */
  isTruncated: boolean;
  /** It has subtitles or sound, even if the sound could not be decoded. */
  hasSound: boolean;
  /** Its speech is known, even if there is none. */
  isTranscribed: boolean;
}

/** Returns true when a medium has parts that no step could read: a failed one, the end of a long one, unheard sound. */
export function hasUnreadMedia(media: readonly ExaminedMedium[]): boolean {
  return media.some(
    ({ isPrepared, isTruncated, hasSound, isTranscribed }) =>
      !isPrepared || isTruncated || (hasSound && !isTranscribed),
  );
}

/** Returns true when each of `places` is among `known`. */
export function areAllAmong(places: readonly PicturePlace[], known: readonly PicturePlace[]): boolean {
  return placesMissingFrom(places, known).length === 0;
}

/** Returns those of `places` that are not among `known`. */
export function placesMissingFrom<P extends PicturePlace>(places: readonly P[], known: readonly PicturePlace[]): P[] {
  const keys = new Set(known.map(keyOf));
  return places.filter((place) => !keys.has(keyOf(place)));
}

/** Returns the name of a picture's place, `<medium>:<seconds>`, as moderators receive it. */
export function keyOf({ mediumId, ts }: PicturePlace): string {
  return `${mediumId}:${ts}`;
}

interface Material {
  media: readonly ExaminedMedium[];
  /** Every picture of the item that is worth describing. */
  pictures: readonly PicturePlace[];
  /** The pictures with a description; one that consists of measurements says nothing about their content. */
  frames: readonly (PicturePlace & { isMeasured: boolean })[];
}

/** Returns true when a summary is written without some of the item's speech or pictures. */
export function isMaterialIncomplete({ media, pictures, frames }: Material): boolean {
  return (
    hasUnreadMedia(media) ||
    !areAllAmong(
      pictures,
      frames.filter(({ isMeasured }) => !isMeasured),
    )
  );
}

/** The age ratings that a summariser gives if it found nothing unsuitable. */
const FOR_CHILDREN: ReadonlySet<Summary['ageRating']> = new Set(['0+', '6+']);

/**
 * Returns the age rating of an item with unknown parts. A rating for older people stands, because it follows from
 * something in the known parts. A rating for children becomes unknown (null), because the unknown parts may contain
 * something unsuitable.
 */
export function ageRatingOfParts(rating: Summary['ageRating']): Summary['ageRating'] {
  return FOR_CHILDREN.has(rating) ? null : rating;
}

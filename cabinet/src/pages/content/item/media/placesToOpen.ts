/** Places in an item to open. Each is a new object, so that the same place can be opened again. */
import type { cabinet } from '../../../../data/client.ts';

/** A medium, and a position in it in seconds. */
export interface Moment {
  position: number;
  /** Null keeps the current position. */
  seconds: number | null;
}

/** A range of the item's own text. */
export interface TextMark {
  part: 'title' | 'description' | 'body';
  offset: number;
  length: number;
}

/** Returns the place of a piece of evidence. */
export function targetOf({ part, media_position: position, ts, offset, length }: cabinet.EvidencePlace): {
  moment: Moment | null;
  mark: TextMark | null;
} {
  if (part === 'title' || part === 'description' || part === 'body')
    return { moment: null, mark: { part, offset, length } };
  return { moment: position === null ? null : { position, seconds: ts }, mark: null };
}

/** The length of a recording's pieces: as much as the speech server reads at once, and in time. */
import { createLearnedSize, type LearnedSize } from '../calls/learnedSize.ts';

/** The longest piece: ten minutes keep the upload under 25 MiB and within models limited to 1,400 s. */
export const MAX_PIECE_SEC = 600;
/** The shortest length that may be configured as that of the longest piece: a shorter one is not worth a request. */
export const MIN_CONFIGURED_PIECE_SEC = 10;
/** Times of text-only answers are estimated within a piece, so the piece bounds their error. */
export const TEXT_PIECE_SEC = 60;
/** The largest file of a piece, in bytes. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;
/** A piece up to this length is not halved: Whisper reads as much at once, and it is under a megabyte. */
export const MIN_PIECE_SEC = 30;
/** The longest share of a piece that one of its halves may have; they are cut in a pause. */
export const MAX_HALF = 0.6;

export interface PieceSizes {
  /** The length up to which pieces are sent, in seconds. */
  current(): number;
  /** Returns whether a piece of this length can be sent in two halves. */
  canHalve(lengthSec: number): boolean;
  /**
   * A piece of this length was too long: the rest of the recording is sent in shorter ones.
   * @returns the new length, in seconds
   */
  refused(lengthSec: number): number;
  /** A piece of this length was read. */
  read(lengthSec: number): void;
}

/**
 * A refused length applies to this recording at once, and to others after several items have shown it.
 * @param learned the size learned for the server
 * @param item see `CallContext`
 * @param earlier length that an earlier attempt learned, if any
 */
export function createPieceSizes(learned: LearnedSize, item: string | undefined, earlier: number | null): PieceSizes {
  const own = createLearnedSize(learned.most);
  if (earlier !== null) own.limited(earlier);
  let refusedAt: number | null = null;
  return {
    current: () => Math.min(own.current(), learned.current()),
    canHalve: (lengthSec) => lengthSec > MIN_PIECE_SEC,
    refused(lengthSec) {
      refusedAt = lengthSec * MAX_HALF;
      own.limited(refusedAt);
      return own.current();
    },
    read(lengthSec) {
      own.worked(lengthSec);
      if (refusedAt === null) learned.worked(lengthSec);
      else learned.refused({ item, read: refusedAt });
      refusedAt = null;
    },
  };
}

/**
 * Retries the pieces of a recording that failed while others were read: once more as they are, then in ever shorter
 * halves, so that only the part that the server cannot read is missing.
 */
import { saveHalved, type SpeechJob } from './transcribePiece.ts';
import { MAX_HALF } from './pieceSizes.ts';
import { numberedHalves, type NumberedPiece } from './speechPieces.ts';
import type { SpeechRecord } from './speechRecord.ts';
import { PieceTooLongError } from './transcriber.ts';

/**
 * In an attempt that accepts gaps, more consecutive failures than this count as an outage, unless a piece was read
 * before that can be sent again as a test. A piece may fail together with its halves, its quarters and the first of its
 * eighths.
 */
export const MAX_CONSECUTIVE_FAILURES = { inOrder: 3, ofParts: 8 } as const;

/** For each piece that failed: two short bad spots in ten minutes take eleven failures. */
const MAX_FAILURES_PER_PIECE = 16;

/**
 * `too long`: the piece has to be sent in two halves. `failed`: it was not read, but it may be later; the caller
 * decides what becomes of it. A piece that will never be read is recorded, and `done`.
 */
export type PieceOutcome = 'done' | 'too long' | 'failed';

export type AddPiece = (piece: NumberedPiece) => Promise<PieceOutcome>;

/** A part of a piece that failed, with the pieces that contain it, the shortest last. */
interface Part {
  piece: NumberedPiece;
  of: readonly NumberedPiece[];
}

/**
 * Reads the pieces that were set aside, or records them as failed. After too many failures, the parts that are left
 * count as failed without being sent.
 */
export async function retryFailedPieces(job: SpeechJob, record: SpeechRecord, add: AddPiece): Promise<void> {
  let failuresLeft = MAX_FAILURES_PER_PIECE * record.aside.length;
  const failed = await retryWholePieces(record, add);
  const parts = failed.flatMap((piece) => split(job, record, { piece, of: [] }));
  for (let part = parts.shift(); part; part = parts.shift()) {
    if (record.stoppedBy !== null || failuresLeft <= 0) {
      record.failed += 1;
      continue;
    }
    const before = record.pieces.length;
    const outcome = await outcomeOf(add, part.piece);
    if (outcome === 'failed') failuresLeft -= 1;
    if (outcome !== 'done') parts.push(...split(job, record, part));
    else if (record.pieces.length > before) for (const whole of part.of) await saveHalved(job, whole);
  }
}

/** Tries the pieces as they are: the server may have been down because of the one before. */
async function retryWholePieces(record: SpeechRecord, add: AddPiece): Promise<NumberedPiece[]> {
  const pieces = record.aside.splice(0);
  // Nothing else was sent since the only one failed.
  if (pieces.length === 1 && record.failuresInARow > 0) return pieces;
  const failed: NumberedPiece[] = [];
  for (const piece of pieces) if ((await outcomeOf(add, piece)) !== 'done') failed.push(piece);
  return failed;
}

async function outcomeOf(add: AddPiece, piece: NumberedPiece): Promise<PieceOutcome> {
  try {
    return await add(piece);
  } catch (error) {
    if (error instanceof PieceTooLongError) return 'too long';
    throw error;
  }
}

/** Returns the halves of a part, or records it as failed if it is too short for that, or if nothing more is read. */
function split({ measured, sizes }: SpeechJob, record: SpeechRecord, { piece, of }: Part): Part[] {
  if (record.stoppedBy === null && sizes.canHalve(piece.end - piece.start))
    return numberedHalves(measured, piece, MAX_HALF).map((half) => ({ piece: half, of: [...of, piece] }));
  record.failed += 1;
  return [];
}

/**
 * Hears the pieces of a recording that failed while others were read: once more as they are, then in ever shorter halves,
 * so that only the part that the server cannot read is missing.
 */
import { saveHalved, type SpeechJob } from './hearPiece.ts';
import { MAX_HALF } from './pieceSizes.ts';
import { halvesOf, type Span } from './speechPieces.ts';
import type { SpeechRecord } from './speechRecord.ts';
import { PieceTooLongError } from './transcriber.ts';

/** In a try that accepts gaps, more failures in a row are an outage. */
export const MOST_FAILURES_IN_A_ROW = 3;

/**
 * `too long`: the piece has to be sent in two halves. `failed`: it was not read, but it may be later; the caller decides
 * what becomes of it. A piece that will never be read is recorded, and `done`.
 */
export type PieceOutcome = 'done' | 'too long' | 'failed';

export type AddPiece = (piece: Span) => Promise<PieceOutcome>;

/** A part of pieces that failed, which end with the one that it is a half of. */
interface Part {
  piece: Span;
  of: readonly Span[];
}

/** Leaves no piece aside: each is heard, or recorded as failed. */
export async function hearAside(job: SpeechJob, record: SpeechRecord, add: AddPiece): Promise<void> {
  const failed = await hearAgain(record, add);
  const parts = failed.flatMap((piece) => split(job, record, { piece, of: [] }));
  for (let part = parts.shift(); part; part = parts.shift()) {
    // The others were read before, so an outage is no reason to wait for these.
    if (isDown(record)) {
      record.failed += 1;
      continue;
    }
    const heard = record.pieces.length;
    if (!(await isDone(add, part.piece))) parts.push(...split(job, record, part));
    else if (record.pieces.length > heard) for (const whole of part.of) await saveHalved(job, whole);
  }
}

/** Tries the pieces as they are: the server may have been down because of the one before. */
async function hearAgain(record: SpeechRecord, add: AddPiece): Promise<Span[]> {
  const pieces = record.aside.splice(0);
  // The only one has just been tried.
  if (pieces.length === 1 && record.failuresInARow > 0) return pieces;
  const failed: Span[] = [];
  for (const piece of pieces) if (!(await isDone(add, piece))) failed.push(piece);
  return failed;
}

function isDown({ failuresInARow, stoppedBy }: SpeechRecord): boolean {
  return stoppedBy !== null || failuresInARow >= MOST_FAILURES_IN_A_ROW;
}

async function isDone(add: AddPiece, piece: Span): Promise<boolean> {
  try {
    return (await add(piece)) === 'done';
  } catch (error) {
    if (error instanceof PieceTooLongError) return false;
    throw error;
  }
}

/** Returns the halves of a part, or records it as failed if it is too short for that, or if nothing more is read. */
function split({ measured, sizes }: SpeechJob, record: SpeechRecord, { piece, of }: Part): Part[] {
  if (!isDown(record) && sizes.canHalve(piece.end - piece.start))
    return halvesOf(measured, piece, MAX_HALF).map((half) => ({ piece: half, of: [...of, piece] }));
  record.failed += 1;
  return [];
}

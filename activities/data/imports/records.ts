/**
 * Splits a stream of bytes into records without interpreting them: a line, or a CSV row, whose quoted cells may contain
 * line ends. All delimiters are ASCII, and in UTF-8 those bytes are never a part of another character.
 */
import type { ImportPosition } from '../../../domain/jobs/imports.ts';

export interface RawRecord {
  /** Number of its first line. */
  line: number;
  /** The bytes without the line end; null when the record is longer than allowed. */
  bytes: Buffer | null;
  /** Position where the next record begins. */
  next: ImportPosition;
  /** The end of the record: its line end, the stream's end, or the limit of bytes to read. */
  end: 'line' | 'stream' | 'none';
}

/** Finds the ends of records, and keeps the state of quotes between pieces. */
export interface Scanner {
  /** Returns the index of the `\n` that ends the current record, or -1 if this piece lacks it; starts at `from`. */
  find(piece: Buffer, from: number): number;
  /** Returns the number of line ends inside the current record; called once at its end. */
  takeLines(): number;
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** Treats every line as a record. */
export function lineScanner(): Scanner {
  return { find: (piece, from) => piece.indexOf(LF, from), takeLines: () => 0 };
}

const CELL_START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_IN_QUOTED = 3;

/** Follows RFC 4180: a cell that begins with a quote ends at the next quote that is not doubled. */
export function csvScanner(delimiter: string): Scanner {
  const separator = delimiter.charCodeAt(0);
  let state = CELL_START;
  let lines = 0;

  function stateAfter(byte: number | undefined): number {
    if (state === QUOTED) return byte === QUOTE ? QUOTE_IN_QUOTED : QUOTED;
    if (byte === separator) return CELL_START;
    return byte === QUOTE && state !== PLAIN ? QUOTED : PLAIN;
  }

  return {
    find(piece, from) {
      for (let index = from; index < piece.length; index += 1) {
        const byte = piece[index];
        if (byte === LF && state !== QUOTED) {
          state = CELL_START;
          return index;
        }
        if (byte === LF) lines += 1;
        state = stateAfter(byte);
      }
      return -1;
    },
    takeLines() {
      const taken = lines;
      lines = 0;
      return taken;
    },
  };
}

export interface RecordLimits {
  /** Maximum size of one record; no part of a longer one is kept. */
  maxBytes: number;
  /** Maximum size of a record that is skipped; a longer one ends the import. */
  skipBytes: number;
}

/**
 * Yields the records of a stream, including blank ones. The last one needs no line end.
 * @param start position where the stream begins
 */
export async function* splitRecords(
  stream: AsyncIterable<Buffer>,
  start: ImportPosition,
  scanner: Scanner,
  { maxBytes, skipBytes }: RecordLimits,
): AsyncGenerator<RawRecord, void> {
  let { line, offset } = start;
  let held = new RecordBuffer(maxBytes);
  const finish = (end: RawRecord['end']): RawRecord => {
    offset += held.length + (end === 'line' ? 1 : 0);
    const record = { line, bytes: held.take(), next: { offset, line: line + scanner.takeLines() + 1 }, end };
    line = record.next.line;
    held = new RecordBuffer(maxBytes);
    return record;
  };
  for await (const piece of stream) {
    let from = 0;
    for (let end = scanner.find(piece, from); end !== -1; end = scanner.find(piece, from)) {
      held.add(piece.subarray(from, end));
      from = end + 1;
      yield finish('line');
    }
    held.add(piece.subarray(from));
    if (held.length > skipBytes) {
      yield finish('none');
      return;
    }
  }
  if (held.length > 0) yield finish('stream');
}

/** The bytes of the current record, up to the limit. */
class RecordBuffer {
  length = 0;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length <= this.#maxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Returns the bytes without a trailing carriage return. */
  take(): Buffer | null {
    if (this.length > this.#maxBytes) return null;
    const bytes = this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
    return bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
  }
}

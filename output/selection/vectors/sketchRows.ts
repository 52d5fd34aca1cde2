/**
 * Sketches in consecutive rows, and the search for those that differ from one sketch in few bits. They lie in the
 * memory of the function that compares them: copying all of them into it would take as long as comparing them.
 */
import { growingInstanceOf, op, type GrowingInstance, type WasmFunction } from '../../../domain/wasm.ts';
import { SKETCH_BYTES } from './sketches.ts';

const LONG_BYTES = 8;
const LONGS = SKETCH_BYTES / LONG_BYTES;
/**
 * Two 32-bit numbers are written for each sketch: its address and the bits. They are kept only if the sketch is near;
 * otherwise those of the next one overwrite them.
 */
const FOUND_BYTES = 8;
const PARAMETERS = { subject: 0, from: 1, end: 2, maxBits: 3, to: 4 } as const;

/** The parameters are addresses, except for `maxBits`. Returns the address after the last found row. */
type FindNear = (subject: number, from: number, end: number, maxBits: number, to: number) => number;

/**
 * Writes the address and the number of different bits of each row up to `end` that differs from the subject in at most
 * `maxBits` bits. Processors count the bits of a 64-bit word in one instruction; those of a 128-bit SIMD register would
 * have to be looked up in a table, four at a time, which takes twice as long.
 */
function findNear(): WasmFunction {
  const { subject, from, end, maxBits, to } = PARAMETERS;
  const bits = Object.keys(PARAMETERS).length;
  const own = Array.from({ length: LONGS }, (_, at) => bits + 1 + at);
  const differences = own.map((local, at) => [
    [op.get(from), op.loadLong(at * LONG_BYTES), op.get(local), op.xorLongs, op.countBitsOfLong],
    at === 0 ? [] : op.addLongs,
  ]);
  const body = [
    own.map((local, at) => [op.get(subject), op.loadLong(at * LONG_BYTES), op.set(local)]),
    op.repeatWhile([
      [differences, op.toInteger, op.set(bits)],
      [op.get(to), op.get(from), op.storeInteger(0)],
      [op.get(to), op.get(bits), op.storeInteger(FOUND_BYTES / 2)],
      // Without a branch, which would often be predicted wrongly: the next row is written over one that is not near.
      [op.get(to), op.get(bits), op.get(maxBits), op.isAtMostUnsigned],
      [op.i32(Math.log2(FOUND_BYTES)), op.shiftLeft, op.add, op.set(to)],
      op.advance(from, SKETCH_BYTES),
      [op.get(from), op.get(end), op.isLessUnsigned],
    ]),
    op.get(to),
  ];
  return {
    name: 'findNear',
    parameters: Object.keys(PARAMETERS).length,
    integers: 1,
    longs: LONGS,
    vectors: 0,
    hasResult: true,
    body,
  };
}

/** Rows compared by one call. */
export const BLOCK_ROWS = 4_096;
const SUBJECT_AT = 0;
const FOUND_AT = SUBJECT_AT + SKETCH_BYTES;
const ROWS_AT = FOUND_AT + BLOCK_ROWS * FOUND_BYTES;
const GROWTH = 1.25;

/** Rows and the bits in which they differ from the subject, one after the other: `[row, bits, row, bits, …]`. */
type NearRows = Uint32Array;

export class SketchRows {
  #instance: GrowingInstance | undefined;
  #count = 0;

  get bytes(): number {
    return this.#instance?.memory.byteLength ?? 0;
  }

  /** One more than the highest row that was written. */
  get count(): number {
    return this.#count;
  }

  /** Returns the memory of a row, to be written before the next call. Rows that were never written are 0. */
  row(row: number): Uint8Array {
    this.#count = Math.max(this.#count, row + 1);
    const { memory } = this.#withRoom(this.#count);
    return new Uint8Array(memory, ROWS_AT + row * SKETCH_BYTES, SKETCH_BYTES);
  }

  /**
   * Calls `take` for block after block, in order, with the rows below `end` that differ from the subject in at most
   * `maxBits` bits.
   * @param take returns the bound for the remaining blocks; its rows are valid during the call
   */
  findNear(
    subject: Uint8Array,
    { end, maxBits }: { end: number; maxBits: number },
    take: (near: NearRows) => number,
  ): void {
    const { memory, functions } = this.#withRoom(0);
    const { findNear: find } = functions as { findNear: FindNear };
    new Uint8Array(memory, SUBJECT_AT, SKETCH_BYTES).set(subject);
    const found = new Uint32Array(memory, FOUND_AT, (BLOCK_ROWS * FOUND_BYTES) / Uint32Array.BYTES_PER_ELEMENT);
    const rows = Math.min(end, this.#count);
    let bound = maxBits;
    for (let first = 0; first < rows; first += BLOCK_ROWS) {
      const last = Math.min(first + BLOCK_ROWS, rows);
      const foundEnd = find(SUBJECT_AT, addressOf(first), addressOf(last), bound, FOUND_AT);
      const near = found.subarray(0, (foundEnd - FOUND_AT) / Uint32Array.BYTES_PER_ELEMENT);
      for (let at = 0; at < near.length; at += 2) near[at] = ((near[at] as number) - ROWS_AT) / SKETCH_BYTES;
      bound = take(near);
    }
  }

  #withRoom(rows: number): GrowingInstance {
    const needed = addressOf(rows);
    this.#instance ??= growingInstanceOf([findNear()], needed);
    if (needed > this.#instance.memory.byteLength) this.#instance.grow(addressOf(Math.ceil(rows * GROWTH)));
    return this.#instance;
  }
}

const addressOf = (row: number): number => ROWS_AT + row * SKETCH_BYTES;

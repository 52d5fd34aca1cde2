/** Finds the sketches that differ from one sketch in few bits. */
import { SKETCH_BYTES } from './sketches.ts';
import { instanceOf, op, type WasmFunction } from '../../domain/wasm.ts';

const LONG_BYTES = 8;
const LONGS = SKETCH_BYTES / LONG_BYTES;
/** Two 32-bit numbers are written for a sketch: its address and the bits. They count once it turns out to be near. */
const FOUND_BYTES = 8;
const PARAMETERS = { subject: 0, from: 1, end: 2, most: 3, to: 4 } as const;

/** The parameters are addresses, except for `most`. Returns the address after the last found row. */
type FindNear = (subject: number, from: number, end: number, most: number, to: number) => number;

/**
 * Writes the address and the number of different bits of each row up to `end` that differs from the subject in at most
 * `most` bits. Processors count the bits of 64 at once; of SIMD's 128 they have to look each four up in a table, which
 * takes twice as long.
 */
function findNear(): WasmFunction {
  const { subject, from, end, most, to } = PARAMETERS;
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
      [op.get(to), op.get(bits), op.get(most), op.isAtMostUnsigned],
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

/** The rows of a block stay in the processor's near caches between being copied and being compared. */
const BLOCK_ROWS = 4_096;

interface Workplace {
  findNear: FindNear;
  subject: Uint8Array;
  /** Address and bits of each found row. */
  found: Int32Array;
  block: Uint8Array;
}

let workplace: Workplace | undefined;

/** Returns the shared WebAssembly instance, created on first use; sketches are compared one at a time. */
function workplaceOf(): Workplace {
  if (workplace) return workplace;
  const blockAt = SKETCH_BYTES + BLOCK_ROWS * FOUND_BYTES;
  const { memory, functions } = instanceOf([findNear()], blockAt + BLOCK_ROWS * SKETCH_BYTES);
  workplace = {
    findNear: (functions as { findNear: FindNear }).findNear,
    subject: new Uint8Array(memory, 0, SKETCH_BYTES),
    found: new Int32Array(memory, SKETCH_BYTES, (BLOCK_ROWS * FOUND_BYTES) / Int32Array.BYTES_PER_ELEMENT),
    block: new Uint8Array(memory, blockAt, BLOCK_ROWS * SKETCH_BYTES),
  };
  return workplace;
}

/** Slots and the bits in which they differ, as far as they were filled. */
export interface NearSketches {
  slots: Uint32Array;
  bits: Int32Array;
}

/**
 * Writes the sketches that differ from the subject in at most `most` bits, in order.
 * @param sketches consecutive, {@link SKETCH_BYTES} each
 * @param into has room for all sketches
 * @returns how many there are
 */
export function nearSketches(subject: Uint8Array, sketches: Uint8Array, most: number, into: NearSketches): number {
  const place = workplaceOf();
  place.subject.set(subject);
  const rows = Math.floor(sketches.length / SKETCH_BYTES);
  const from = place.block.byteOffset;
  let count = 0;
  for (let first = 0; first < rows; first += BLOCK_ROWS) {
    const some = Math.min(BLOCK_ROWS, rows - first);
    place.block.set(sketches.subarray(first * SKETCH_BYTES, (first + some) * SKETCH_BYTES));
    const end = place.findNear(
      place.subject.byteOffset,
      from,
      from + some * SKETCH_BYTES,
      most,
      place.found.byteOffset,
    );
    const numbers = (end - place.found.byteOffset) / Int32Array.BYTES_PER_ELEMENT;
    for (let at = 0; at < numbers; at += 2) {
      into.slots[count] = first + ((place.found[at] as number) - from) / SKETCH_BYTES;
      into.bits[count] = place.found[at + 1] as number;
      count += 1;
    }
  }
  return count;
}

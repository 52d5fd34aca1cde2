/** Counts by SIMD in how many bits one sketch differs from many others. */
import { SKETCH_BYTES } from './sketches.ts';
import { instanceOf, op, type WasmFunction } from '../../domain/wasm.ts';

const LANE_BYTES = 16;
const LANES = SKETCH_BYTES / LANE_BYTES;
const COUNT_BYTES = 4;
const PARAMETERS = { subject: 0, from: 1, end: 2, to: 3 } as const;

/** The parameters are addresses. */
type CountDifferences = (subject: number, from: number, end: number, to: number) => void;

/**
 * Computes `to[row] = number of bits in which subject and from[row] differ` for each row up to `end`, as 32-bit
 * numbers.
 */
function countDifferences(): WasmFunction {
  const { subject, from, end, to } = PARAMETERS;
  const own = Array.from({ length: LANES }, (_, lane) => Object.keys(PARAMETERS).length + lane);
  const sums = Object.keys(PARAMETERS).length + LANES;
  const differences = own.map((local, lane) => [
    [op.get(from), op.load(lane * LANE_BYTES), op.get(local), op.xor, op.countBits],
    // No byte exceeds 32.
    lane === 0 ? [] : op.addBytes,
  ]);
  const body = [
    own.map((local, lane) => [op.get(subject), op.load(lane * LANE_BYTES), op.set(local)]),
    op.repeatWhile([
      [differences, op.addPairsOfBytes, op.addPairsOfShorts, op.set(sums)],
      [op.get(to), op.sumOfIntegers(sums), op.storeInteger(0)],
      op.advance(to, COUNT_BYTES),
      op.advance(from, SKETCH_BYTES),
      [op.get(from), op.get(end), op.isLessUnsigned],
    ]),
  ];
  return {
    name: 'countDifferences',
    parameters: Object.keys(PARAMETERS).length,
    integers: 0,
    vectors: LANES + 1,
    body,
  };
}

/** The rows of a block stay in the processor's near caches between being copied and being counted. */
const BLOCK_ROWS = 4_096;

interface Workplace {
  countDifferences: CountDifferences;
  subject: Uint8Array;
  counts: Int32Array;
  block: Uint8Array;
}

let workplace: Workplace | undefined;

/** Returns the shared WebAssembly instance, created on first use; sketches are compared one at a time. */
function workplaceOf(): Workplace {
  if (workplace) return workplace;
  const blockAt = SKETCH_BYTES + BLOCK_ROWS * COUNT_BYTES;
  const { memory, functions } = instanceOf([countDifferences()], blockAt + BLOCK_ROWS * SKETCH_BYTES);
  workplace = {
    countDifferences: (functions as { countDifferences: CountDifferences }).countDifferences,
    subject: new Uint8Array(memory, 0, SKETCH_BYTES),
    counts: new Int32Array(memory, SKETCH_BYTES, BLOCK_ROWS),
    block: new Uint8Array(memory, blockAt, BLOCK_ROWS * SKETCH_BYTES),
  };
  return workplace;
}

/**
 * Calls `take` with the counts of a block of sketches and the index of its first one, for all blocks in order.
 * @param sketches consecutive, {@link SKETCH_BYTES} each
 */
export function differencesFrom(
  subject: Uint8Array,
  sketches: Uint8Array,
  take: (first: number, counts: Int32Array) => void,
): void {
  const place = workplaceOf();
  place.subject.set(subject);
  const rows = Math.floor(sketches.length / SKETCH_BYTES);
  for (let first = 0; first < rows; first += BLOCK_ROWS) {
    const some = Math.min(BLOCK_ROWS, rows - first);
    place.block.set(sketches.subarray(first * SKETCH_BYTES, (first + some) * SKETCH_BYTES));
    const from = place.block.byteOffset;
    place.countDifferences(place.subject.byteOffset, from, from + some * SKETCH_BYTES, place.counts.byteOffset);
    take(first, place.counts.subarray(0, some));
  }
}

/** Sums and rounding of rows of 32-bit floats as WebAssembly, four numbers at a time (see `multiplyFunctions.ts`). */
import { op, type Code, type WasmFunction } from '../../../domain/wasm.ts';

/** The length of a row is a multiple of this. */
export const ROW_UNIT = 16;

const VECTOR_BYTES = 16;
const VECTORS = 4;
const PARAMETERS = { to: 0, from: 1, end: 2 } as const;

/**
 * Parameters in bytes: the start of the row to change, the start of the row to add, and the end of the row to change.
 */
export type RowFunction = (to: number, from: number, end: number) => void;

/** Returns `addRow`, which computes `to += from`, and `rectifyRow`, which computes `to = max(0, to) + from`. */
export function rowFunctions(): WasmFunction[] {
  const zero = Object.keys(PARAMETERS).length;
  return [overRow('addRow', []), overRow('rectifyRow', [op.get(zero), op.largerFloats])];
}

/** @param change applied to a vector of `to` before the one of `from` is added */
function overRow(name: string, change: Code): WasmFunction {
  const { to, from, end } = PARAMETERS;
  const vectors = Array.from({ length: VECTORS }, (_, index) => [
    op.get(to),
    op.get(to),
    op.load(index * VECTOR_BYTES),
    change,
    op.get(from),
    op.load(index * VECTOR_BYTES),
    op.addFloats,
    op.store(index * VECTOR_BYTES),
  ]);
  const advance = (local: number): Code => op.advance(local, VECTORS * VECTOR_BYTES);
  const loop = op.repeatWhile([vectors, advance(to), advance(from), op.get(to), op.get(end), op.isLessUnsigned]);
  // A local is initially zero, and this one is never set.
  return { name, parameters: Object.keys(PARAMETERS).length, integers: 0, vectors: 1, body: loop };
}

/**
 * Parameters in bytes: the start of 16-bit integers, the start of the floats that are rounded to them, the end of the
 * floats, and the address of the float by which they are multiplied first.
 */
export type RoundRow = (to: number, from: number, end: number, factor: number) => void;

/** Returns `roundRow`. */
export function roundFunctions(): WasmFunction[] {
  const [to, from, end, factorAt, factor] = [0, 1, 2, 3, 4];
  const rounded = (index: number): Code => [
    op.get(from),
    op.load(index * VECTOR_BYTES),
    op.get(factor),
    op.multiplyFloats,
    op.roundFloats,
    op.toIntegers,
  ];
  const pairs = [0, 2].map((index) => [
    op.get(to),
    rounded(index),
    rounded(index + 1),
    op.narrow,
    op.store((index / 2) * VECTOR_BYTES),
  ]);
  const loop = op.repeatWhile([
    pairs,
    op.advance(to, (VECTORS * VECTOR_BYTES) / 2),
    op.advance(from, VECTORS * VECTOR_BYTES),
    op.get(from),
    op.get(end),
    op.isLessUnsigned,
  ]);
  return [
    {
      name: 'roundRow',
      parameters: 4,
      integers: 0,
      vectors: 1,
      body: [op.get(factorAt), op.loadSplat(0), op.set(factor), loop],
    },
  ];
}

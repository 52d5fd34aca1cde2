/** Growable columns of numbers. */

type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

const FIRST_CAPACITY = 1024;
const GROWTH = 1.5;

/**
 * Returns the column with room for at least `size` numbers, copied into a larger one if necessary; new numbers are 0.
 */
export function withRoom<C extends Numbers>(column: C, size: number): C {
  if (size <= column.length) return column;
  const capacity = Math.max(FIRST_CAPACITY, size, Math.ceil(column.length * GROWTH));
  const grown = new (column.constructor as new (length: number) => C)(capacity);
  grown.set(column);
  return grown;
}

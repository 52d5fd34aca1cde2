/** Allocates memory for matrices; it is never freed. */
import { DOUBLE_BYTES, FLOAT_BYTES } from './elementSizes.ts';

export interface Allocator {
  /**
   * Allocates floats, all zero.
   * @throws RangeError if the memory is used up
   */
  take(count: number): Float32Array;
  /** Allocates integers, all zero. @throws RangeError if the memory is used up */
  takeIntegers(count: number): Int16Array;
  /** Allocates 64-bit floats, all zero. @throws RangeError if the memory is used up */
  takeDoubles(count: number): Float64Array;
}

/** @param start offset of the first free byte, a multiple of the length of a vector */
export function createAllocator(memory: ArrayBuffer, start: number): Allocator {
  let used = start;
  const take = (count: number): Float32Array => {
    const part = new Float32Array(memory, used, count);
    used += count * FLOAT_BYTES;
    return part;
  };
  return {
    take,
    takeIntegers(count) {
      const part = take(Math.ceil(count / 2));
      return new Int16Array(memory, part.byteOffset, count);
    },
    takeDoubles(count) {
      if (used % DOUBLE_BYTES !== 0) take(1);
      const part = take(2 * count);
      return new Float64Array(memory, part.byteOffset, count);
    },
  };
}

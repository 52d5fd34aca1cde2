/** Searches in ascending lists of numbers. */

/** When one list is this many times as long as the other, each number of the short one is looked up in the long one. */
export const SEARCH_RATIO = 16;

/** Returns the index of the number; −1 when it is not in the list. */
export function binarySearch(list: Uint32Array, number: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = list[middle] as number;
    if (found === number) return middle;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Looking for numbers in lists of them that ascend. */

/** Of two lists, so many times as long as the other, each of the few is looked for in the longer one. */
export const FEW = 16;

/** −1 when the number is not in the list. */
export function placeIn(list: Uint32Array, number: number): number {
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

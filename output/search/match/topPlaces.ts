/** The best of many keys: a heap of bounded size. Moments and prices need all digits of a double. */

/**
 * Places of the highest keys, the highest first; of equal ones the lower place is the better one, so that a ranking
 * made twice is the same.
 */
export function topPlaces(keys: Float64Array, most: number): Uint32Array {
  const heap = new Uint32Array(Math.min(most, keys.length));
  const isWorse = (a: number, b: number): boolean => {
    const first = keys[a] as number;
    const second = keys[b] as number;
    return first < second || (first === second && a > b);
  };
  let size = 0;
  for (let place = 0; place < keys.length; place += 1) {
    if (size < heap.length) {
      heap[size] = place;
      size += 1;
      rise(heap, size - 1, isWorse);
    } else if (size > 0 && isWorse(heap[0] as number, place)) {
      heap[0] = place;
      sink(heap, isWorse);
    }
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}

type Compare = (a: number, b: number) => boolean;

function rise(heap: Uint32Array, from: number, isWorse: Compare): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (isWorse(heap[parent] as number, heap[at] as number)) return;
    swap(heap, parent, at);
    at = parent;
  }
}

function sink(heap: Uint32Array, isWorse: Compare): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) return;
    if (child + 1 < heap.length && isWorse(heap[child + 1] as number, heap[child] as number)) child += 1;
    if (isWorse(heap[at] as number, heap[child] as number)) return;
    swap(heap, at, child);
    at = child;
  }
}

function swap(heap: Uint32Array, a: number, b: number): void {
  const kept = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = kept;
}

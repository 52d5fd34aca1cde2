/**
 * A short list of numbers for each slot, all in one array, so that counting those of 100,000 slots is a single pass.
 */
import { withRoom } from '../../growableColumns.ts';

/** Abandoned entries are reclaimed when they outnumber those in use, and there are at least this many. */
const MIN_LEFT = 4_096;

export class NumberLists {
  #starts = new Uint32Array(0);
  #sizes = new Uint32Array(0);
  #numbers = new Uint32Array(0);
  #end = 0;
  #used = 0;

  get bytes(): number {
    return 4 * (this.#starts.length + this.#sizes.length + this.#numbers.length);
  }

  /** Returns the numbers of a slot, as a view that the next {@link set} invalidates. */
  of(slot: number): Uint32Array {
    const start = this.#starts[slot] ?? 0;
    return this.#numbers.subarray(start, start + (this.#sizes[slot] ?? 0));
  }

  set(slot: number, numbers: readonly number[]): void {
    this.#starts = withRoom(this.#starts, slot + 1);
    this.#sizes = withRoom(this.#sizes, slot + 1);
    const before = this.#sizes[slot] as number;
    if (numbers.length > before) {
      this.#starts[slot] = this.#end;
      this.#end += numbers.length;
      this.#numbers = withRoom(this.#numbers, this.#end);
    }
    this.#numbers.set(numbers, this.#starts[slot]);
    this.#sizes[slot] = numbers.length;
    this.#used += numbers.length - before;
    if (this.#end - this.#used > Math.max(this.#used, MIN_LEFT)) this.#compact();
  }

  /** Adds one to the count of each number of each slot. */
  countInto(counts: Uint32Array, slots: Uint32Array): void {
    const numbers = this.#numbers;
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index] as number;
      const start = this.#starts[slot] ?? 0;
      const end = start + (this.#sizes[slot] ?? 0);
      for (let at = start; at < end; at += 1) {
        const number = numbers[at] as number;
        counts[number] = (counts[number] as number) + 1;
      }
    }
  }

  #compact(): void {
    const numbers = new Uint32Array(this.#used);
    let end = 0;
    for (let slot = 0; slot < this.#starts.length; slot += 1) {
      const own = this.of(slot);
      numbers.set(own, end);
      this.#starts[slot] = end;
      end += own.length;
    }
    this.#numbers = numbers;
    this.#end = end;
  }
}

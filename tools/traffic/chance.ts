/** Random numbers for the generator. Everything is derived from seeds, so that the same seed makes the same traffic. */
import { createRandom, type Random } from '../load/random.ts';

export interface Chance extends Random {
  /** Returns an entry with a probability proportional to its weight. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T;
  /** Returns a whole number, both ends included. */
  between(low: number, high: number): number;
  /** Returns an index from 0 to count − 1, Zipf-distributed: the second is half as frequent as the first, and so on. */
  zipf(count: number): number;
  /** Returns a number of repetitions, at most `most`; another one follows with the given probability. */
  times(goesOn: number, most: number): number;
  /** Returns a UUID in the form of version 4. */
  uuid(): string;
  digits(count: number): string;
}

/**
 * @param parts subject of the stream of random numbers: each visitor has its own, so that one more visitor changes no
 * other.
 */
export function createChance(...parts: (string | number)[]): Chance {
  const random = createRandom(fnv1a(parts.join('\n')));
  const digits = (count: number): string => Array.from({ length: count }, () => String(random.below(10))).join('');
  const hex = (count: number): string => Array.from({ length: count }, () => random.below(16).toString(16)).join('');
  return {
    ...random,
    weighted: (entries) => weighted(entries, random),
    between: (low, high) => low + random.below(high - low + 1),
    zipf: (count) => zipf(count, random.next()),
    times(goesOn, most) {
      let count = 0;
      while (count < most && random.next() < goesOn) count += 1;
      return count;
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    digits,
  };
}

function weighted<T>(entries: readonly (readonly [weight: number, value: T])[], random: Random): T {
  let left = random.next() * entries.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of entries) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = entries.at(-1);
  if (last === undefined) throw new Error('nothing to choose from');
  return last[1];
}

const harmonics = new Map<number, readonly number[]>();

function zipf(count: number, chance: number): number {
  const sums = harmonics.get(count) ?? sumsOf(count);
  harmonics.set(count, sums);
  const wanted = chance * (sums.at(-1) ?? 0);
  return sums.findIndex((sum) => sum > wanted);
}

function sumsOf(count: number): number[] {
  let sum = 0;
  return Array.from({ length: count }, (_, index) => (sum += 1 / (index + 1)));
}

/** Computes the 32-bit FNV-1a hash (Fowler, Noll and Vo). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

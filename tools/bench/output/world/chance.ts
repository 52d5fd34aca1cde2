/** Random numbers that are fast enough for millions of draws; the seed determines all of them. */
import { createRandom, type Random } from '../../../load/random.ts';

const SEED = 20_261_123;

/** Returns a separate stream for each part and number, so that one more item changes no other. */
export function randomOf(part: string, n = 0): Random {
  let hash = SEED;
  for (const character of part) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return createRandom(Math.imul(hash ^ n, 0x9e3779b1) >>> 0);
}

/**
 * Returns a number from 0 to `count` − 1: the second is about half as frequent as the first, and so on. It uses the
 * integral of 1/x, for speed.
 */
export function zipf(random: Random, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random.next()) - 1);
}

/** Returns an entry with a probability proportional to its weight. */
export function weighted<T>(random: Random, entries: readonly (readonly [weight: number, value: T])[]): T {
  let left = random.next() * entries.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of entries) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = entries.at(-1);
  if (!last) throw new Error('nothing to choose from');
  return last[1];
}

/** Returns the entries in random order. */
export function shuffled<T>(random: Random, entries: readonly T[]): T[] {
  return entries
    .map((entry) => ({ entry, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
}

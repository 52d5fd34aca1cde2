/** Random numbers that a seed reproduces. */

export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  /** Returns a whole number from 0 to `count` − 1. */
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns true with this probability, in percent. */
  percent(of: number): boolean;
}

/** Implements mulberry32 (public domain, Tommy Ettinger): 32 bits of state, uniform enough for a load. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick<T>(list: readonly T[]): T {
      const chosen = list[below(list.length)];
      if (chosen === undefined) throw new Error('nothing to pick from');
      return chosen;
    },
    percent: (of) => next() * 100 < of,
  };
}

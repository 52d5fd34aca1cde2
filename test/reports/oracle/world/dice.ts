/** Seeded choices. */
import fc from 'fast-check';

export interface Dice {
  /** Both ends included. */
  int(from: number, to: number): number;
  chance(percent: number): boolean;
  pick<T>(options: readonly T[]): T;
  times<T>(from: number, to: number, make: (index: number) => T): T[];
  uuid(): string;
}

const evenly = (max: number): fc.Arbitrary<number> => fc.noBias(fc.nat(max));

export function diceOf(seed: number): Dice {
  const [value] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (value === undefined) throw new Error('fast-check gave nothing');
  const uniform = (from: number, to: number): number => value(evenly, to - from) + from;
  const dice: Dice = {
    int: uniform,
    chance: (percent) => uniform(1, 100) <= percent,
    pick: (options) => {
      const picked = options[uniform(0, options.length - 1)];
      if (picked === undefined && options.length === 0) throw new Error('nothing to pick');
      return picked as (typeof options)[number];
    },
    times: (from, to, make) => Array.from({ length: uniform(from, to) }, (_, index) => make(index)),
    uuid: () => {
      const hex = Array.from({ length: 4 }, () => uniform(0, 0x7fff_ffff).toString(16).padStart(8, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
  return dice;
}

/** Directions of many dimensions, the same in each run. */
import { createRandom, type Random } from '../../../tools/load/random.ts';

/** A vector of length 1. */
export type Direction = Float64Array;

export class Directions {
  readonly #random: Random;
  readonly #dimension: number;

  constructor(seed: number, dimension = 128) {
    this.#random = createRandom(seed);
    this.#dimension = dimension;
  }

  /** Returns a random direction, which in many dimensions is almost orthogonal to any other. */
  any(): Direction {
    const numbers = new Float64Array(this.#dimension);
    for (let at = 0; at < numbers.length; at += 1) numbers[at] = this.#random.next() - 0.5;
    return scaled(numbers, 1 / Math.sqrt(product(numbers, numbers)));
  }

  /** Returns a random direction with the given cosine to the given one. */
  at(cosine: number, given: Direction): Direction {
    const any = this.any();
    const across = sum(any, scaled(given, -product(any, given)));
    const share = Math.sqrt((1 - cosine * cosine) / product(across, across));
    return sum(scaled(given, cosine), scaled(across, share));
  }
}

function product(a: Direction, b: Direction): number {
  let total = 0;
  for (let at = 0; at < a.length; at += 1) total += (a[at] as number) * (b[at] as number);
  return total;
}

function scaled(given: Direction, factor: number): Direction {
  return given.map((value) => value * factor);
}

function sum(a: Direction, b: Direction): Direction {
  return a.map((value, at) => value + (b[at] as number));
}

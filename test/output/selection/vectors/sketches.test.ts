import { describe, expect, it } from '@jest/globals';
import { createRandom, type Random } from '../../../../tools/load/random.ts';
import {
  maxDifferentBits,
  SKETCH_BITS,
  SKETCH_BYTES,
  sketchInto,
} from '../../../../output/selection/vectors/sketches.ts';
import { itemVector } from '../../../../domain/output/vectors.ts';

function sketchOf(vector: readonly number[]): Uint8Array {
  const into = new Uint8Array(SKETCH_BYTES);
  const made = itemVector([Float32Array.from(vector)]);
  if (!made) throw new Error('no direction');
  sketchInto(into, made.vector);
  return into;
}

function differentBits(a: readonly number[], b: readonly number[]): number {
  const other = sketchOf(b);
  return sketchOf(a).reduce((sum, byte, at) => {
    const differing = (byte ^ (other[at] ?? 0)).toString(2).replaceAll('0', '');
    return sum + differing.length;
  }, 0);
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const cosineOf = (a: readonly number[], b: readonly number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** @param kept share of the numbers that are not 0 */
function vectorOf(random: Random, dimension: number, kept = 1): number[] {
  return Array.from({ length: dimension }, () => (random.next() < kept ? random.next() - 0.5 : 0));
}

/** Returns two vectors that share a part. */
function pairOf(random: Random, dimension: number, kept: number): [number[], number[]] {
  const share = random.next();
  const [common, one, other] = [0, 1, 2].map(() => vectorOf(random, dimension, kept)) as [number[], number[], number[]];
  const mixed = (own: readonly number[]) => common.map((value, at) => share * value + (1 - share) * (own[at] ?? 0));
  return [mixed(one), mixed(other)];
}

describe('sketches', () => {
  it.each([
    { dimension: 512, kept: 1 },
    { dimension: 512, kept: 0.05 },
    { dimension: 256, kept: 0.1 },
    { dimension: 45, kept: 1 },
    { dimension: 1_536, kept: 1 },
    { dimension: 3_072, kept: 1 },
  ])('reflect the angle between vectors of $dimension numbers if a share of $kept is not 0', ({ dimension, kept }) => {
    const random = createRandom(11);
    const errors = Array.from({ length: 200 }, () => {
      const [a, b] = pairOf(random, dimension, kept);
      return differentBits(a, b) - (SKETCH_BITS * Math.acos(cosineOf(a, b))) / Math.PI;
    });
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    // Theoretically 0, with a standard deviation of 11.3 at most.
    expect(Math.abs(mean)).toBeLessThan(3);
    expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)).toBeLessThan(13);
  });

  it('hardly ever differ in more bits than the cosine of their vectors allows', () => {
    const random = createRandom(12);
    let beyond = 0;
    for (let n = 0; n < 2_000; n += 1) {
      const [a, b] = pairOf(random, 256, 1);
      if (differentBits(a, b) > maxDifferentBits(cosineOf(a, b))) beyond += 1;
    }
    // Theoretically 2.7.
    expect(beyond).toBeLessThanOrEqual(8);
  });

  it('may differ in no bit for the same direction, and in every bit for the opposite one', () => {
    expect([maxDifferentBits(1), maxDifferentBits(0), maxDifferentBits(-1)]).toEqual([0, 290, SKETCH_BITS]);
    expect(differentBits([3, -4, 5], [6, -8, 10])).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import { differenceOf, rateOf, type PersonSums } from '../../../domain/experiments/rates.ts';
import { sampleRatioP } from '../../../domain/experiments/sampleRatio.ts';

/** Sums, over people, the number of requests and their results. */
function sumsOf(people: readonly (readonly [x: number, y: number])[]): PersonSums {
  const sum = (of: (x: number, y: number) => number) => people.reduce((total, [x, y]) => total + of(x, y), 0);
  return {
    people: people.length,
    x: sum((x) => x),
    y: sum((_, y) => y),
    xx: sum((x) => x * x),
    yy: sum((_, y) => y * y),
    xy: sum((x, y) => x * y),
  };
}

/** Returns a generator that is the same in every run (Park and Miller, 1988). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('a rate', () => {
  // proves: output-cabinet/report-rates
  it('has the interval of a proportion if everybody asks once', () => {
    const people = Array.from({ length: 1_000 }, (_, n) => [1, n < 200 ? 1 : 0] as const);
    const { value, low, high } = rateOf(sumsOf(people)) ?? { value: 0, low: 0, high: 0 };
    const error = 1.96 * Math.sqrt((0.2 * 0.8) / 999);
    expect(value).toBe(0.2);
    expect(low).toBeCloseTo(0.2 - error, 5);
    expect(high).toBeCloseTo(0.2 + error, 5);
  });

  // proves: output-cabinet/report-rates
  it('is less certain if requests come from few people with stable habits', () => {
    const once = Array.from({ length: 1_000 }, (_, n) => [1, n % 2] as const);
    const often = Array.from({ length: 100 }, (_, n) => [10, (n % 2) * 10] as const);
    const width = (people: readonly (readonly [number, number])[]) => {
      const { low, high } = rateOf(sumsOf(people)) ?? {};
      return (high ?? 0) - (low ?? 0);
    };
    expect(width(often) / width(once)).toBeCloseTo(Math.sqrt(10), 1);
  });

  // proves: output-cabinet/report-rates
  it('lies within its interval 95 times in 100', () => {
    const chance = createChance(7);
    const draws = Array.from({ length: 1_000 }, () => {
      const people = Array.from({ length: 200 }, () => {
        const asked = 1 + Math.floor(chance() * 10);
        const taste = chance() * 0.4;
        return [asked, Array.from({ length: asked }, () => chance()).filter((one) => one < taste).length] as const;
      });
      const { low, high } = rateOf(sumsOf(people)) ?? {};
      return (low ?? 1) <= 0.2 && 0.2 <= (high ?? 0);
    });
    const share = draws.filter(Boolean).length / draws.length;
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
  });

  it('is unknown without a request, and has no bounds for a single person', () => {
    expect(rateOf(sumsOf([]))).toBeNull();
    expect(rateOf(sumsOf([[4, 1]]))).toEqual({ value: 0.25, low: null, high: null });
  });

  // proves: output-cabinet/report-rates
  it('has no bounds if nobody or everybody did it, because such a sample does not show how far off the rate may be', () => {
    const all = (y: number) => sumsOf(Array.from({ length: 500 }, () => [1, y] as const));
    expect(rateOf(all(0))).toEqual({ value: 0, low: null, high: null });
    expect(rateOf(all(1))).toEqual({ value: 1, low: null, high: null });
    expect(differenceOf(all(0), all(0))).toEqual({ value: 0, low: null, high: null });
  });

  it('differs from another by a value whose interval contains the uncertainty of both', () => {
    const half = sumsOf(Array.from({ length: 1_000 }, (_, n) => [1, n % 2] as const));
    const none = sumsOf(Array.from({ length: 1_000 }, () => [1, 0] as const));
    const { value, low, high } = differenceOf(none, half) ?? { value: 0, low: 0, high: 0 };
    expect(value).toBe(-0.5);
    expect([low, high].map((bound) => Number(bound?.toFixed(3)))).toEqual([-0.531, -0.469]);
  });
});

/** The same probability by Simpson's rule over z, for the density of the length of a vector of normal numbers. */
function integratedP(people: readonly number[], shares: readonly number[]): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const expected = shares.map((share) => (sum(people) * share) / sum(shares));
  const statistic = sum(people.map((count, at) => (count - (expected[at] ?? 0)) ** 2 / (expected[at] ?? 1)));
  const density = (z: number) => z ** (people.length - 2) * Math.exp((-z * z) / 2);
  const integral = (from: number, to: number) => {
    const steps = 4_000;
    const step = (to - from) / steps;
    const terms = Array.from({ length: steps + 1 }, (_, n) => {
      const weight = n === 0 || n === steps ? 1 : n % 2 === 1 ? 4 : 2;
      return weight * density(from + n * step);
    });
    return (sum(terms) * step) / 3;
  };
  return integral(Math.sqrt(statistic), 12) / integral(0, 12);
}

describe('the test of the sample ratio', () => {
  // Computed by integrating the density with Simpson's rule.
  // proves: output-cabinet/sample-ratio
  it.each([
    [[520, 480], [0.5, 0.5], 0.2059032],
    [[600, 500], [0.5, 0.5], 0.002568832],
    [[300, 330, 370], [0.3, 0.3, 0.4], 0.07243976],
    [[100, 110, 90, 140], [0.25, 0.25, 0.25, 0.25], 0.005265097],
    [[990, 10], [0.9, 0.1], 2.3816e-21],
  ])('of %j people for %j', (people, shares, p) => {
    const found = sampleRatioP(people, shares) ?? 1;
    expect(Math.abs(found / p - 1)).toBeLessThan(1e-5);
  });

  // proves: output-cabinet/sample-ratio
  it.each([2, 3, 4])('agrees with the integral of the density for %d variants', (variants) => {
    const chance = createChance(variants);
    for (let trial = 0; trial < 20; trial += 1) {
      const shares = Array.from({ length: variants }, () => 0.1 + chance());
      const people = shares.map((share) => Math.round(200 * share * (0.9 + 0.2 * chance())));
      const found = sampleRatioP(people, shares) ?? 0;
      expect(Math.abs(found - integratedP(people, shares))).toBeLessThan(1e-5);
    }
  });

  it('ignores empty groups, and people in groups with a share of 0', () => {
    expect(sampleRatioP([0, 0], [0.5, 0.5])).toBeNull();
    expect(sampleRatioP([500, 3, 500], [0.5, 0, 0.5])).toBe(sampleRatioP([500, 500], [0.5, 0.5]));
    expect(sampleRatioP([500, 3], [1, 0])).toBeNull();
  });
});

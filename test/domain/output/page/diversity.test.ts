import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diversify } from '../../../../domain/output/page/diversity.ts';

const plain = { places: 10, before: [], likenessTo: () => Array.from({ length: 10 }, () => 0) };

describe('diversity', () => {
  it('moves items down that resemble the previous one', () => {
    const family = [0, 0, 0, 1, 1, 2];
    const likenessTo = (entry: number) => family.map((one) => (one === family[entry] ? 0.9 : 0));
    const scores = [1, 0.95, 0.9, 0.85, 0.8, 0.75];
    expect(diversify({ ...plain, scores, likenessTo, diversity: 0.5 })).toEqual([0, 3, 5, 1, 2, 4]);
    expect(diversify({ ...plain, scores, likenessTo, diversity: 0 })).toEqual([0, 1, 2, 3, 4, 5]);
    // Items of the previous page count as well.
    const before = family.map((one) => (one === 0 ? 0.9 : 0));
    expect(diversify({ ...plain, scores, likenessTo, before, diversity: 0.5 }).slice(0, 2)).toEqual([3, 5]);
  });

  it('keeps the best in first place, whatever the scale of the scores', () => {
    for (const scale of [0.001, 1, 1_000])
      expect(diversify({ ...plain, scores: [3, 2, 1].map((one) => one * scale), diversity: 1 })).toEqual([0, 1, 2]);
    expect(diversify({ ...plain, scores: [-1, -2, -3], diversity: 0.5 })).toEqual([0, 1, 2]);
    expect(diversify({ ...plain, scores: [], diversity: 0.5 })).toEqual([]);
  });

  it('keeps every entry once, whatever comes before', () => {
    const entries = fc.array(
      fc.record({
        score: fc.double({ min: -2, max: 50, noNaN: true }),
        point: fc.integer({ min: 0, max: 6 }),
        before: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 40 },
    );
    const weights = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(entries, weights, fc.integer({ min: 0, max: 50 }), (of, diversity, places) => {
        const order = diversify({
          scores: of.map(({ score }) => score),
          diversity,
          places,
          before: of.map(({ before }) => before),
          likenessTo: (entry) => of.map(({ point }) => 1 / (1 + Math.abs((of[entry]?.point ?? 0) - point))),
        });
        expect(order.toSorted((a, b) => a - b)).toEqual(of.map((_, at) => at));
        expect(order.slice(places)).toEqual(order.slice(places).toSorted((a, b) => a - b));
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { freshFor } from '../../../../output/selection/catalogue/regionReader.ts';

describe('the counts of a region', () => {
  it.each([
    ['half a minute, when they are few', 2, 30_000],
    ['a thousand times as long as their read took', 150, 150_000],
    ['ten minutes at most', 20_000, 600_000],
  ])('stand for %s', (_what, readMs, freshMs) => {
    expect(freshFor(readMs)).toBe(freshMs);
  });
});

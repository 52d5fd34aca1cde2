import { describe, expect, it } from '@jest/globals';
import { drawTrials, randomOf } from '../../../../domain/output/page/exploration.ts';

const trial = (impressions: number, opens: number, relevance = 0.5) => ({ impressions, opens, relevance });

/** Counts how often each trial is drawn first. */
function firsts(trials: readonly ReturnType<typeof trial>[], draws = 200): number[] {
  const random = randomOf(7);
  const counts = trials.map(() => 0);
  for (let n = 0; n < draws; n += 1) {
    const [first = 0] = drawTrials(trials, 1, random).tried;
    counts[first] = (counts[first] ?? 0) + 1 / draws;
  }
  return counts;
}

describe('chance', () => {
  it('is reproducible by its seed, and spread evenly', () => {
    const draw = (seed: number) => Array.from({ length: 1_000 }, randomOf(seed));
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
    const mean = draw(5).reduce((sum, one) => sum + one, 0) / 1_000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.04);
    expect(draw(5).every((one) => one >= 0 && one < 1)).toBe(true);
  });
});

describe('the trials of new items', () => {
  it('prefer items that were opened more often, and abandon those that were not', () => {
    const [opened = 0, ignored = 0, unknown = 0] = firsts([trial(200, 30), trial(200, 0), trial(0, 0)]);
    expect(opened).toBeGreaterThan(0.5);
    expect(ignored).toBeLessThan(0.03);
    expect(unknown).toBeGreaterThan(0.01);
  });

  it('prefer items that fit better while nothing is known', () => {
    const [fits = 0, not = 0] = firsts([trial(0, 0, 1), trial(0, 0, 0)]);
    expect(fits).toBeGreaterThan(0.6);
    expect(not).toBeGreaterThan(0.1);
  });

  it('have chances that add up to one position, and none is impossible', () => {
    const { tried, chances } = drawTrials([trial(400, 60), trial(400, 1), trial(30, 1), trial(0, 0)], 2, randomOf(3));
    expect(new Set(tried).size).toBe(2);
    expect(chances.every((chance) => chance > 0 && chance <= 0.5)).toBe(true);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 1);
    expect(chances[0]).toBeGreaterThan(chances[1] ?? 1);
  });

  it('accept more openings than impressions, and an empty list', () => {
    expect(drawTrials([trial(0, 5)], 3, randomOf(1)).tried).toEqual([0]);
    expect(drawTrials([], 3, randomOf(1))).toEqual({ tried: [], chances: [] });
  });
});

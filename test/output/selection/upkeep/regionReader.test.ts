import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { USUAL_PERIOD } from '../../../../domain/output/popularity.ts';
import { createRegionReader, freshFor } from '../../../../output/selection/upkeep/regionReader.ts';
import { createLogger } from '../../../../platform/process/logger.ts';
import { catalogueOf, change } from '../../support/catalogues.ts';
import { later } from '../../support/later.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A reader of regions in which somebody met the only item. */
function reading() {
  const catalogue = catalogueOf([change('met')]);
  let queries = 0;
  const query = () => {
    queries += 1;
    return Promise.resolve({ rows: [{ ids: ['met'], totals: [1], fasts: [1], slows: [1] }] });
  };
  const reader = createRegionReader({ query } as unknown as pg.Pool, createLogger('selection', 'silent'));
  return {
    prepare: (key: string) => reader.prepare('p', catalogue, key, USUAL_PERIOD),
    queries: () => queries,
  };
}

describe('the counts of a region', () => {
  it.each([
    ['half a minute at least', 2, 30_000],
    ['three thousand times as long as their read took', 150, 450_000],
    ['ten minutes at most', 20_000, 600_000],
  ])('are kept for %s', (_what, readMs, freshMs) => {
    expect(freshFor(readMs)).toBe(freshMs);
  });

  it('are read again when they are old', async () => {
    const { prepare, queries } = reading();
    later(0);
    await prepare('city');
    later(29_000);
    await prepare('city');
    expect(queries()).toBe(1);
    later(2_000);
    await prepare('city');
    expect(queries()).toBe(2);
  });

  it('are read for a reloaded catalogue too, even while they are being read for the previous one', async () => {
    const answers: (() => void)[] = [];
    const rows = [{ ids: ['met'], totals: [1], fasts: [1], slows: [1] }];
    const query = () => new Promise((resolve) => answers.push(() => resolve({ rows })));
    const { prepare } = createRegionReader({ query } as unknown as pg.Pool, createLogger('selection', 'silent'));
    const [before, after] = [catalogueOf([change('met')]), catalogueOf([change('met')])];
    const both = [before, after, after].map((catalogue) => prepare('p', catalogue, 'city', USUAL_PERIOD));
    expect(answers).toHaveLength(2);
    for (const answer of answers) answer();
    await Promise.all(both);
    expect(after.regions.find('city', USUAL_PERIOD)?.size).toBe(1);
  });

  it('are kept even while many small regions are requested in turn', async () => {
    const { prepare, queries } = reading();
    later(0);
    for (let turn = 0; turn < 2; turn += 1) for (let n = 0; n < 100; n += 1) await prepare(`city-${n}`);
    expect(queries()).toBe(100);
  });
});

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SUMS } from '../../../../domain/output/popularity.ts';
import type { Catalogue } from '../../../../output/selection/catalogue/catalogue.ts';
import {
  precomputeNeighbours,
  type PrecomputeSettings,
} from '../../../../output/selection/upkeep/precomputeNeighbours.ts';
import { catalogueOf, change, placedAt } from '../../support/catalogues.ts';

const ITEMS = 40;
const NOTHING_NEAR = { slots: new Uint32Array(), scores: new Float32Array(), floor: null, upTo: 0 };

afterEach(() => {
  jest.restoreAllMocks();
});

/** A catalogue on a quarter of a circle, in which the item `i-N` was met by N people; every tenth has no vector. */
function catalogueMetBy(): Catalogue {
  const items = Array.from({ length: ITEMS }, (_, n) =>
    change(`i-${n}`, n % 10 === 9 ? {} : { placed: placedAt((n * 90) / ITEMS) }),
  );
  const catalogue = catalogueOf(items);
  for (let slot = 0; slot < ITEMS; slot += 1)
    catalogue.popularity.set(
      slot,
      Array.from({ length: SUMS }, () => slot),
    );
  return catalogue;
}

async function computeAhead(catalogue: Catalogue, settings: Partial<PrecomputeSettings> = {}): Promise<void> {
  await precomputeNeighbours(catalogue, {
    limit: 5,
    shouldContinue: () => true,
    isBusy: () => false,
    pause: async () => {},
    ...settings,
  });
}

/** Returns the slots whose lists a request finds in the cache: it may spend nothing on others. */
function cached(catalogue: Catalogue): number[] {
  const budget = { left: 0, isUntouched: false };
  return Array.from({ length: ITEMS }, (_, slot) => slot).filter(
    (slot) => catalogue.neighboursWithin(slot, budget) !== null,
  );
}

describe('lists that are computed ahead', () => {
  it('are those of the most popular items that have a vector', async () => {
    const catalogue = catalogueMetBy();
    expect(cached(catalogue)).toEqual([]);
    await computeAhead(catalogue);
    expect(cached(catalogue)).toEqual([34, 35, 36, 37, 38]);
  });

  it('are not those of items that nobody has met', async () => {
    const catalogue = catalogueMetBy();
    await computeAhead(catalogue, { limit: ITEMS });
    expect(cached(catalogue)).not.toContain(0);
    expect(cached(catalogue)).toHaveLength(ITEMS - ITEMS / 10 - 1);
  });

  it('are computed once, and again when the item’s vector has changed', async () => {
    const catalogue = catalogueMetBy();
    await computeAhead(catalogue);
    const compared = jest.spyOn(catalogue.vectors, 'near');
    await computeAhead(catalogue);
    expect(compared).not.toHaveBeenCalled();
    catalogue.apply([change('i-36', { placed: placedAt(3) })]);
    await computeAhead(catalogue);
    expect(compared).toHaveBeenCalledTimes(1);
    expect(catalogue.neighboursOf(36).slots[0]).toBe(1);
  });

  it('leave time to questions, more of it while people ask them', async () => {
    const catalogue = catalogueMetBy();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(catalogue, 'neighboursOf').mockImplementation(() => {
      now += 4;
      return NOTHING_NEAR;
    });
    const pauses = { idle: [] as number[], busy: [] as number[] };
    for (const kind of ['idle', 'busy'] as const)
      await computeAhead(catalogue, {
        limit: 3,
        isBusy: () => kind === 'busy',
        pause: async (ms) => void pauses[kind].push(ms),
      });
    expect(pauses).toEqual({ idle: [4, 4, 4], busy: [36, 36, 36] });
  });

  it('are continued after a pause of a second at most, however long the process was stopped', async () => {
    const catalogue = catalogueMetBy();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(catalogue, 'neighboursOf').mockImplementation(() => {
      now += 3_600_000;
      return NOTHING_NEAR;
    });
    const pauses: number[] = [];
    await computeAhead(catalogue, { limit: 1, isBusy: () => true, pause: async (ms) => void pauses.push(ms) });
    expect(pauses).toEqual([1_000]);
  });

  it('are no longer computed when the caller says so', async () => {
    const catalogue = catalogueMetBy();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const lists = jest.spyOn(catalogue, 'neighboursOf').mockImplementation(() => {
      now += 4;
      return NOTHING_NEAR;
    });
    await computeAhead(catalogue, { shouldContinue: () => false });
    expect(lists).toHaveBeenCalledTimes(1);
  });
});

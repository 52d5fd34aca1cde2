import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import {
  createPopularityFollower,
  FOLLOWING,
  LOADING,
} from '../../../../output/selection/upkeep/popularityFollower.ts';
import { catalogueOf, change } from '../../support/catalogues.ts';
import { later } from '../../support/later.ts';

const ITEMS = 1_000;
const MINUTE_MS = 60_000;

afterEach(() => {
  jest.restoreAllMocks();
});

/** A loaded catalogue of a thousand items that were counted in the order of their numbers. */
async function followed() {
  const ids = Array.from({ length: ITEMS }, (_, n) => `i-${n}`);
  const versions = new Map(ids.map((id, n) => [id, n + 1]));
  let latest = ITEMS;
  const reads: string[][] = [];
  const counted = ([, after, limit]: readonly unknown[]) =>
    [...versions]
      .filter(([, version]) => version > Number(after))
      .toSorted(([, one], [, other]) => one - other)
      .slice(0, Number(limit))
      .map(([itemId, version]) => ({ itemId, version: String(version) }));
  const query = async ({ name, values }: { name: string; values: readonly unknown[] }) => {
    if (name !== 'popularity-counted') return { rows: [] };
    const rows = counted(values);
    reads.push(rows.map(({ itemId }) => itemId));
    return { rows };
  };
  const follower = createPopularityFollower({ query } as unknown as pg.Pool);
  const catalogue = catalogueOf(ids.map((id) => change(id)));
  await follower.follow('p', catalogue, LOADING);
  return {
    /** Counts an item again. */
    count: (id: string) => void versions.set(id, (latest += 1)),
    /** Follows for one turn. @returns the items of each read */
    async turn(): Promise<string[][]> {
      reads.length = 0;
      await follower.follow('p', catalogue, FOLLOWING);
      return [...reads];
    },
  };
}

describe('the renewal of all counts', () => {
  it('lets new counts go first', async () => {
    const { count, turn } = await followed();
    later(31 * MINUTE_MS);
    count('i-700');
    expect((await turn())[0]).toEqual(['i-700']);
    count('i-800');
    const [first, second] = await turn();
    expect([first, second?.[0]]).toEqual([['i-800'], 'i-150']);
  });

  it('ends before the next one begins, however long it takes', async () => {
    const { turn } = await followed();
    later(31 * MINUTE_MS);
    const renewed = new Set<string>();
    for (let turns = 0; turns < 7; turns += 1) {
      for (const id of (await turn()).flat()) renewed.add(id);
      later(10 * MINUTE_MS);
    }
    expect(renewed.size).toBe(ITEMS);
  });

  it('ends although many counts change meanwhile', async () => {
    const { count, turn } = await followed();
    later(31 * MINUTE_MS);
    for (let turns = 0; turns < 20; turns += 1) {
      for (let n = 0; n < 120; n += 1) count(`i-${(turns * 120 + n) % 300}`);
      await turn();
    }
    expect(await turn()).toEqual([[]]);
  });
});

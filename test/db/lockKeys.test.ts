/**
 * The keys of advisory locks: no two locks share a key by accident, and a lock keeps its key in every release.
 */
import { expect, it } from '@jest/globals';
import { LOCK_CLASSES, LOCK_KEYS } from '../../db/lockKeys.ts';

/** The keys of released versions, which hold them during an upgrade. */
const RELEASED = {
  migrate: 4_817_231_905,
  reconciler: 4_817_231_906,
  retention: 4_817_231_907,
  volume: 4_817_231_908,
  lakeSchema: 4_817_231_911,
  lakeTurn: 4_817_231_912,
  lakePrecedence: 4_817_231_913,
  lakeUpkeep: 4_817_231_914,
};

it.each([LOCK_KEYS, LOCK_CLASSES])('no two keys of %j are equal', (keys) => {
  const values: number[] = Object.values(keys);
  expect(new Set(values).size).toBe(values.length);
});

it('released keys stay with their locks', () => {
  expect(LOCK_KEYS).toMatchObject(RELEASED);
});

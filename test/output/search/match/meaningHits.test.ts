import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { cosine, type ItemVector } from '../../../../domain/output/vectors.ts';
import { nearestByMeaning } from '../../../../output/search/match/meaningHits.ts';
import { VectorColumns } from '../../../../output/selection/vectors/vectorColumns.ts';
import { placed } from '../../support/catalogues.ts';
import { Directions } from '../../support/directions.ts';

const SLOTS = 9_000;
const THRESHOLD = 0.4;
const MAX_HITS = 100;

const directions = new Directions(41);
const about = directions.any();
/** Every third slot is on the subject, the first ones the closest, down to the threshold. */
const vectors = Array.from({ length: SLOTS }, (_, slot) =>
  placed(slot % 3 === 0 ? directions.at(0.95 - (0.55 * slot) / SLOTS, about) : directions.any()),
);
const columns = new VectorColumns();
for (const [slot, vector] of vectors.entries()) columns.set(slot, vector);

/** The query's vector is close to that of the subject. */
const query = placed(directions.at(0.99, about));

/** Compares every slot. */
function plainHits(isAllowed: (slot: number) => boolean, asked: ItemVector = query): number[] {
  const near = vectors
    .map((vector, slot) => ({ slot, value: Math.fround(cosine(vector, asked)) }))
    .filter(({ slot, value }) => value >= THRESHOLD && isAllowed(slot))
    .sort((a, b) => b.value - a.value || a.slot - b.slot)
    .slice(0, MAX_HITS);
  const least = THRESHOLD + 0.5 * ((near[0]?.value ?? 0) - THRESHOLD);
  return near.filter(({ value }) => value >= least).map(({ slot }) => slot);
}

function hits(isAllowed: (slot: number) => boolean, asked: ItemVector = query): number[] {
  const found = nearestByMeaning(columns, asked, { slots: SLOTS, threshold: THRESHOLD, isAllowed });
  const cosines = Array.from(found.slots, (slot) => Math.fround(cosine(vectors[slot] ?? query, asked)));
  expect([...found.cosines]).toEqual(cosines);
  return [...found.slots];
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the items near to a query by meaning', () => {
  it('are the nearest hundred, without comparing all', () => {
    const all = jest.spyOn(columns, 'allNear');
    const expected = plainHits(() => true);
    expect(hits(() => true)).toEqual(expected);
    expect([expected.length, all.mock.calls.length]).toEqual([MAX_HITS, 0]);
  });

  it('are searched among all if filters leave too few of the nearest', () => {
    const all = jest.spyOn(columns, 'allNear');
    // None of these is among the thousand nearest.
    const far = (slot: number): boolean => slot >= 6_000 && slot % 300 === 0;
    const expected = plainHits(far);
    expect(hits(far)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(3);
    // Some of these are among them; the others, further away, must be found too.
    const some = (slot: number): boolean => slot % 90 === 0;
    expect(hits(some)).toEqual(plainHits(some));
    expect(all).toHaveBeenCalledTimes(2);
  });

  it('are searched among all only up to the distance that the nearest one allows', () => {
    const all = jest.spyOn(columns, 'allNear');
    const some = (slot: number): boolean => slot % 90 === 0;
    const [nearest = 0] = plainHits(some);
    expect(hits(some)).toEqual(plainHits(some));
    const nearestCosine = Math.fround(cosine(vectors[nearest] ?? query, query));
    expect(all.mock.calls.map(([, , least]) => least)).toEqual([THRESHOLD + 0.5 * (nearestCosine - THRESHOLD)]);
  });

  it('are those that match, however few', () => {
    const last = vectors.findLastIndex((vector) => cosine(vector, query) >= THRESHOLD + 0.01);
    expect(last).toBeGreaterThan(8_000);
    expect(hits((slot) => slot === last)).toEqual([last]);
    expect(hits(() => false)).toEqual([]);
  });

  it('do not include any that are much further away than the nearest', () => {
    const near = (slot: number): boolean => slot < 30 || slot > 7_000;
    expect(hits(near)).toEqual(plainHits(near));
    expect(plainHits(near).every((slot) => slot < 30)).toBe(true);
  });

  it('are not searched again if sketches cover everything', () => {
    const all = jest.spyOn(columns, 'allNear');
    const alone = vectors[1] ?? query;
    const found = nearestByMeaning(columns, alone, { slots: SLOTS, threshold: 0.7, isAllowed: () => true });
    expect([[...found.slots], all.mock.calls.length]).toEqual([[1], 0]);
  });
});

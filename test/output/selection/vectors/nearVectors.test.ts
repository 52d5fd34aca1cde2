import { describe, expect, it } from '@jest/globals';
import { cosine, type ItemVector } from '../../../../domain/output/vectors.ts';
import { VectorColumns, type NearSlots } from '../../../../output/selection/vectors/vectorColumns.ts';
import { placed } from '../../support/catalogues.ts';
import { Directions, type Direction } from '../../support/directions.ts';

const SLOTS = 9_000;
/** Sketches miss one in 700 of the pairs exactly at the threshold, and hardly any nearer ones. */
const MISSED = 1 / 2_000;

interface Filled {
  columns: VectorColumns;
  vectors: readonly ItemVector[];
}

function filled(directionOf: (slot: number) => Direction): Filled {
  const vectors = Array.from({ length: SLOTS }, (_, slot) => placed(directionOf(slot)));
  const columns = new VectorColumns();
  for (const [slot, vector] of vectors.entries()) columns.set(slot, vector);
  return { columns, vectors };
}

/** Compares every slot. */
function plainNear({ vectors }: Filled, subject: ItemVector, least: number): Map<number, number> {
  const cosines = vectors.map((vector, slot) => [slot, Math.fround(cosine(vector, subject))] as const);
  return new Map(cosines.filter(([, value]) => value >= least));
}

const cosinesOf = ({ slots, cosines }: NearSlots) => new Map(Array.from(slots, (slot, at) => [slot, cosines[at] ?? 0]));

/** Compares the results for many subjects with an exhaustive comparison. */
function missed(
  stage: Filled,
  least: number,
  subjects: readonly number[],
): { found: number; missed: number; cost: number } {
  const sums = { found: 0, missed: 0, cost: 0 };
  for (const subject of subjects) {
    const vector = stage.vectors[subject] ?? placed([1]);
    const expected = plainNear(stage, vector, least);
    const near = stage.columns.allNear(vector, SLOTS, least);
    const found = cosinesOf(near);
    expect([...near.slots]).toEqual([...near.slots].toSorted((a, b) => a - b));
    expect(near.isAll).toBe(true);
    expect([...found].filter(([slot, value]) => expected.get(slot) !== value)).toEqual([]);
    sums.found += found.size;
    sums.missed += expected.size - found.size;
    sums.cost += near.cost;
  }
  return sums;
}

const subjects = Array.from({ length: 30 }, (_, n) => n * 290 + 3);
const few = subjects.slice(0, 12);

describe('the search for all near items', () => {
  it('finds nearly everything that comparing every slot finds, if vectors form clusters', () => {
    const directions = new Directions(31);
    const centres = Array.from({ length: 60 }, () => directions.any());
    const stage = filled((slot) => directions.at(0.6 + (0.39 * slot) / SLOTS, centres[slot % 60] ?? directions.any()));
    const { found, missed: fewer, cost } = missed(stage, 0.5, few);
    expect(found).toBeGreaterThan(1_000);
    expect(fewer / found).toBeLessThan(MISSED);
    expect(cost).toBeLessThan((few.length * SLOTS) / 2);
  });

  it('finds nearly everything that comparing every slot finds, if vectors point everywhere', () => {
    const directions = new Directions(32, 16);
    const stage = filled(() => directions.any());
    const { found, missed: fewer, cost } = missed(stage, 0.5, subjects);
    expect(found).toBeGreaterThan(1_000);
    expect(fewer / found).toBeLessThan(MISSED);
    expect(cost).toBeLessThan((subjects.length * SLOTS) / 2);
    // At this cosine so many slots qualify that all are compared, and nothing is missed.
    const all = missed(stage, 0.1, few.slice(0, 5));
    expect([all.missed, all.cost]).toEqual([0, 5 * SLOTS]);
  });
});

describe('the nearest items', () => {
  const directions = new Directions(33);
  const centre = directions.any();
  const subject = placed(centre);
  const FEW = 80;
  /** A few are near, two thousand are just below the threshold, and the others are unrelated to the subject. */
  const stage = filled((slot) => {
    if (slot % 100 === 7 && slot / 100 < FEW) return directions.at(0.52, centre);
    return slot % 4 === 0 ? directions.at(0.45, centre) : directions.any();
  });

  it('are searched for among all slots if the nearest sketches yield too few', () => {
    const near = stage.columns.near(subject, { slots: SLOTS, minCosine: 0.5, wanted: 101 });
    expect(cosinesOf(near)).toEqual(plainNear(stage, subject, 0.5));
    expect([near.slots.length, near.isAll]).toEqual([FEW, true]);
    expect(near.cost).toBeGreaterThan(SLOTS);
  });

  it('are taken from the nearest sketches alone if these yield enough, so others may be missing', () => {
    const near = stage.columns.near(subject, { slots: SLOTS, minCosine: 0.5, wanted: 50 });
    expect(near.isAll).toBe(false);
    expect(near.slots.length).toBeGreaterThanOrEqual(50);
    expect(near.slots.length).toBeLessThanOrEqual(FEW);
    expect(near.cost).toBeLessThan(SLOTS / 3);
  });

  it('are known to be complete, without comparing every slot, if nothing else can be near', () => {
    const far = directions.any();
    const near = stage.columns.near(placed(far), { slots: SLOTS, minCosine: 0.8, wanted: 101 });
    expect([near.slots.length, near.isAll]).toEqual([0, true]);
    expect(near.cost).toBeLessThan(SLOTS / 5);
  });
});

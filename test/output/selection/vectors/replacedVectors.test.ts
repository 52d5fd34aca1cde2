import { beforeEach, describe, expect, it } from '@jest/globals';
import { VectorColumns } from '../../../../output/selection/vectors/vectorColumns.ts';
import { placed } from '../../support/catalogues.ts';
import { Directions, type Direction } from '../../support/directions.ts';

/** Sketches are made from half of this on, and used from all of it on. */
const SKETCHED_FROM = 8_192;
const FIRST_HALF = SKETCHED_FROM / 2;
const SLOTS = 8_300;
const CLUSTERS = 50;

const directions = new Directions(21);
/** The direction of replaced vectors; nothing else has it. */
const elsewhere = directions.any();
const centres = Array.from({ length: CLUSTERS }, () => directions.any());
const centre = (cluster: number) => centres[cluster] ?? elsewhere;
const given = Array.from({ length: SLOTS }, (_, slot) => placed(directions.at(0.8, centre(slot % CLUSTERS))));

let columns = new VectorColumns();
beforeEach(() => {
  columns = new VectorColumns();
});

/** Gives slots their first vectors, up to `end`. @param isLeftOut selects those that get none */
function fill(from: number, end: number, isLeftOut: (slot: number) => boolean = () => false): void {
  for (let slot = from; slot < end; slot += 1) columns.set(slot, isLeftOut(slot) ? null : (given[slot] ?? null));
}

function replace(slots: readonly number[], direction: Direction = elsewhere): void {
  for (const slot of slots) columns.set(slot, placed(directions.at(0.9, direction)));
}

/** Returns the slots near to a direction as sketches find them, after checking that `allNear` finds the same. */
function near(direction: Direction): number[] {
  const found = columns.near(placed(direction), { slots: SLOTS, minCosine: 0.6, wanted: 1 });
  const all = columns.allNear(placed(direction), SLOTS, 0.6);
  expect(found.cost).toBeLessThan(SLOTS / 2);
  expect(all.slots).toEqual(found.slots);
  return [...found.slots];
}

const clusterOf = (slot: number) => Array.from({ length: SLOTS }, (_, n) => n).filter((n) => n % 50 === slot % 50);

describe('a replaced vector', () => {
  it('is found by its new direction and not by its old one, in any slot', () => {
    fill(0, SLOTS);
    const moved = [0, 120, FIRST_HALF - 1, FIRST_HALF, 6_020, SLOTS - 1];
    replace(moved);
    expect(near(elsewhere)).toEqual(moved);
    expect(near(centre(20))).toEqual(clusterOf(20).filter((slot) => slot !== 120 && slot !== 6_020));
  });

  it('is found if it was replaced before there were sketches', () => {
    fill(0, FIRST_HALF);
    const moved = [0, 120, FIRST_HALF - 1];
    replace(moved);
    fill(FIRST_HALF, SLOTS);
    expect(near(elsewhere)).toEqual(moved);
    expect(near(centre(20))).toEqual(clusterOf(20).filter((slot) => slot !== 120));
  });

  it('is found if it was replaced while the first slots got their sketches one by one', () => {
    fill(0, 6_000);
    // Some of these have a sketch already.
    const moved = [0, 120, 1_903, 1_904, 1_905, FIRST_HALF - 1, FIRST_HALF, 5_999];
    replace(moved);
    fill(6_000, SLOTS);
    expect(near(elsewhere)).toEqual(moved);
    expect(near(centre(20))).toEqual(clusterOf(20).filter((slot) => slot !== 120));
  });
});

describe('a removed vector', () => {
  it('is no longer found, and is found again when it comes back elsewhere', () => {
    fill(0, SLOTS);
    const gone = [120, 6_020];
    for (const slot of gone) columns.set(slot, null);
    expect(near(centre(20))).toEqual(clusterOf(20).filter((slot) => !gone.includes(slot)));
    replace(gone);
    expect(near(elsewhere)).toEqual(gone);
    expect(near(centre(20))).toEqual(clusterOf(20).filter((slot) => !gone.includes(slot)));
  });

  it('is not found if it was removed before there were sketches', () => {
    fill(0, FIRST_HALF);
    columns.set(120, null);
    fill(FIRST_HALF, SLOTS);
    expect(near(centre(20))).toEqual(clusterOf(20).filter((slot) => slot !== 120));
    replace([120]);
    expect(near(elsewhere)).toEqual([120]);
  });
});

describe('slots', () => {
  it('are all compared until each has a sketch', () => {
    const isLeftOut = (slot: number): boolean => slot >= FIRST_HALF && slot % 3 === 0;
    fill(0, SLOTS, isLeftOut);
    const asked = { slots: SLOTS, minCosine: 0.6, wanted: 1 };
    const before = columns.near(placed(centre(20)), asked);
    expect([...before.slots]).toEqual(clusterOf(20).filter((slot) => !isLeftOut(slot)));
    expect([before.cost, columns.nearCost(SLOTS)]).toEqual([SLOTS, SLOTS]);
    fill(FIRST_HALF, SLOTS);
    expect(near(centre(20))).toEqual(clusterOf(20));
    expect(columns.nearCost(SLOTS)).toBeLessThan(SLOTS / 2);
  });

  it('are compared without sketches in a smaller catalogue', () => {
    fill(0, SLOTS);
    const asked = { slots: SKETCHED_FROM - 1, minCosine: 0.6, wanted: 1 };
    expect(columns.near(placed(centre(20)), asked).cost).toBe(SKETCHED_FROM - 1);
    expect(columns.nearCost(SKETCHED_FROM - 1)).toBe(SKETCHED_FROM - 1);
  });
});

import { describe, expect, it } from '@jest/globals';
import { cosine, type ItemVector } from '../../../../domain/output/vectors.ts';
import { createRandom } from '../../../../tools/load/random.ts';
import { VectorColumns, type NearSlots } from '../../../../output/selection/vectors/vectorColumns.ts';
import { placed, placedAt } from '../../support/catalogues.ts';

const MANY = 20_000;

let many: VectorColumns | undefined;

/** Returns a hundred subjects with two hundred items each, which tests only read. */
function manyClusters(): VectorColumns {
  return (many ??= makeManyClusters());
}

function makeManyClusters(): VectorColumns {
  const random = createRandom(3);
  const some = (size: number) => Array.from({ length: 128 }, () => size * (random.next() - 0.5));
  const centres = Array.from({ length: 100 }, () => some(1));
  const columns = new VectorColumns();
  for (let slot = 0; slot < MANY; slot += 1) {
    const own = some(0.8);
    columns.set(slot, placed((centres[slot % 100] ?? []).map((value, at) => value + (own[at] ?? 0))));
  }
  return columns;
}

/** NaN for vectors that cannot be compared. */
function cosineOf(own: ItemVector | null, other: ItemVector): number {
  const isComparable = own?.model === other.model && own.vector.length === other.vector.length;
  return own && isComparable ? cosine(own, other) : Number.NaN;
}

describe('VectorColumns', () => {
  it('keeps vectors as they are, while it grows and when a larger dimension comes', () => {
    const columns = new VectorColumns();
    const given = Array.from({ length: 1_000 }, (_, n) => placedAt(n));
    for (const [slot, one] of given.entries()) columns.set(slot, one);
    const wide = placed([1, 2, 3, 4, 5], 'wide');
    columns.set(3_000, wide);
    for (const [slot, one] of given.entries()) expect(columns.at(slot)).toEqual(one);
    expect(columns.at(3_000)).toEqual(wide);
    expect(columns.at(2_000)).toBeNull();
    expect(columns.modelOf(3_000)).toBe('wide');
  });

  it('scores like cosine, and nothing across models and dimensions', () => {
    const columns = new VectorColumns();
    const given = [placedAt(0), placedAt(37), placedAt(0, 'another'), placed([1, 2, 3]), placedAt(190)];
    for (const [slot, one] of given.entries()) columns.set(slot, one);
    const score = columns.scorer(0);
    expect(score(1)).toBeCloseTo(cosine(placedAt(0), placedAt(37)), 10);
    expect(score(4)).toBeCloseTo(Math.cos((190 / 180) * Math.PI), 2);
    expect([score(2), score(3), score(5), columns.scorer(7)(0)]).toEqual([NaN, NaN, NaN, NaN]);
  });

  it('gives all slots, and chosen ones, the same scores as each slot alone, whatever the dimension and number', () => {
    const random = createRandom(7);
    const some = (dimension: number, model: string) =>
      placed(
        Array.from({ length: dimension }, () => random.next() - 0.5),
        model,
      );
    const columns = new VectorColumns();
    for (let slot = 0; slot < 5_000; slot += 1)
      if (slot % 7 !== 0) columns.set(slot, slot % 3 === 0 ? some(384, 'long') : some(45, 'short'));
    for (const subject of [some(45, 'short'), some(384, 'long'), some(46, 'short'), some(45, 'unknown')]) {
      const each = Float64Array.from({ length: 4_900 }, (_, slot) => cosineOf(columns.at(slot), subject));
      expect(columns.compareAll(subject, 4_900)).toEqual(Float32Array.from(each));
      const chosen = Uint32Array.of(4_899, 3, 7, 1, 3, 90_000);
      expect([...columns.compare(subject, chosen)]).toEqual(Array.from(chosen, (slot) => each[slot] ?? Number.NaN));
    }
  });

  it('finds the same near items among many as a comparison of all', () => {
    const columns = manyClusters();
    for (const slot of [0, 7_777, 19_999]) {
      const subject = columns.at(slot);
      if (!subject) throw new Error('no vector');
      const all = columns.allNear(subject, MANY, 0.5);
      const near = columns.near(subject, { slots: MANY, minCosine: 0.5, wanted: 100 });
      expect(near.isAll).toBe(true);
      expect(all.slots.length).toBeGreaterThan(150);
      expect({ ...near, cost: 0 }).toEqual({ ...all, cost: 0 });
    }
  });

  it('finds all near items if the nearest sketches have too few', () => {
    const columns = manyClusters();
    const subject = columns.at(7_777);
    if (!subject) throw new Error('no vector');
    // By their sketches most vectors may have this cosine.
    const asked = { slots: MANY, minCosine: 0.2, wanted: MANY };
    const slots = Array.from({ length: MANY }, (_, slot) => slot);
    const expected = slots.filter((slot) => Math.fround(cosineOf(columns.at(slot), subject)) >= 0.2);
    expect([...columns.near(subject, asked).slots]).toEqual(expected);
    const few = columns.near(subject, { ...asked, wanted: 150 });
    expect(few.isAll).toBe(false);
    expect(few.slots.length).toBeLessThan(expected.length);
    expect(few.cost).toBeLessThan(MANY / 2);
  });

  it('finds the nearest if too many are near, and says so', () => {
    const columns = manyClusters();
    const subject = columns.at(7_777);
    if (!subject) throw new Error('no vector');
    const near = columns.near(subject, { slots: MANY, minCosine: -1, wanted: 150 });
    expect(near.isAll).toBe(false);
    expect(near.slots.length).toBeLessThan(MANY / 3);
    const best = (found: NearSlots) =>
      [...found.slots.keys()]
        .toSorted((a, b) => (found.cosines[b] ?? 0) - (found.cosines[a] ?? 0))
        .slice(0, 150)
        .map((index) => found.slots[index]);
    expect(best(near)).toEqual(best(columns.allNear(subject, MANY, -1)));
  });

  it('finds nothing near a vector of a model that no slot has', () => {
    const near = manyClusters().near(placed([1, 2, 3], 'unknown'), { slots: MANY, minCosine: 0, wanted: 10 });
    expect([near.slots.length, near.isAll]).toEqual([0, true]);
  });

  it('compares a few slots with each other', () => {
    const columns = new VectorColumns();
    for (const [slot, one] of [placedAt(0), placedAt(37), placedAt(0, 'another'), placedAt(120)].entries())
      columns.set(slot, one);
    const cosinesOf = columns.among([3, 1, undefined, 2, 9, 0]);
    const cosines = [columns.scorer(3)(3), columns.scorer(3)(1), 0, 0, 0, columns.scorer(3)(0)];
    expect([...cosinesOf(0)]).toEqual(cosines);
    expect([...cosinesOf(3)]).toEqual([0, 0, 0, columns.scorer(2)(2), 0, 0]);
    expect([...cosinesOf(2)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('compares slots with each other whatever was compared before', () => {
    const columns = manyClusters();
    const compare = (slots: readonly number[]) => {
      const cosinesOf = columns.among(slots);
      for (const [index, slot] of slots.entries()) {
        const score = columns.scorer(slot);
        expect([...cosinesOf(index)]).toEqual(slots.map(score));
      }
    };
    compare([5, 105, 7]);
    compare(Array.from({ length: 1_000 }, (_, at) => 19 * at).slice(-120));
    compare([8, 9]);
    const mixed = new VectorColumns();
    for (const [slot, one] of [placed([9, -4, 3, 2, 1], 'wide'), placedAt(0), placedAt(37)].entries())
      mixed.set(slot, one);
    mixed.set(0, placedAt(50));
    const cosinesOf = mixed.among([0, 1, 2]);
    expect([...cosinesOf(0)]).toEqual([0, 1, 2].map(mixed.scorer(0)));
    expect([...cosinesOf(1)]).toEqual([0, 1, 2].map(mixed.scorer(1)));
  });

  it('says whether a vector has changed', () => {
    const columns = new VectorColumns();
    expect(columns.set(0, null)).toBe(false);
    expect(columns.set(0, placedAt(10))).toBe(true);
    expect(columns.set(0, placedAt(10))).toBe(false);
    expect(columns.set(0, placedAt(50))).toBe(true);
    expect(columns.set(0, placedAt(50, 'another'))).toBe(true);
    expect(columns.set(0, null)).toBe(true);
    expect(columns.at(0)).toBeNull();
  });
});

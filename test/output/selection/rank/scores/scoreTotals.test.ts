import { describe, expect, it } from '@jest/globals';
import { Totals } from '../../../../../output/selection/rank/scores/scoreTotals.ts';

function begun(...base: number[]): Totals {
  const totals = new Totals();
  totals.begin(Float32Array.from(base));
  return totals;
}

const touchedOf = (totals: Totals) => {
  const { slots, scores } = totals.touched();
  return Array.from(slots, (slot, index) => [slot, scores[index]]);
};

describe('totals', () => {
  it('are the base values until something is added', () => {
    const totals = begun(1, 2, 3);
    expect([totals.of(0), totals.of(2), totals.of(3), totals.of(-1)]).toEqual([1, 3, 0, 0]);
    expect([...totals.all()]).toEqual([1, 2, 3]);
    expect(touchedOf(totals)).toEqual([]);
  });

  it('include what is added, and what is set in place of the earlier value', () => {
    const totals = begun(1, 2, 3, 4);
    totals.add(3, 0.5);
    totals.add(1, -4);
    totals.add(3, 0.25);
    totals.set(0, 9);
    totals.set(1, 7);
    totals.add(1, 1);
    expect(touchedOf(totals)).toEqual([
      [3, 4.75],
      [1, 8],
      [0, 9],
    ]);
    expect([...totals.all()]).toEqual([9, 8, 3, 4.75]);
    expect([0, 1, 2, 3].map((slot) => totals.of(slot))).toEqual([9, 8, 3, 4.75]);
    expect([0, 1, 2, 3].map((slot) => totals.isTouched(slot))).toEqual([true, true, false, true]);
  });

  it('mark a slot as touched even if nothing is added', () => {
    const totals = begun(1, 2);
    totals.add(1, 0);
    expect(touchedOf(totals)).toEqual([[1, 2]]);
  });

  it('include slots that the base does not have', () => {
    const totals = new Totals();
    totals.begin(Float32Array.of(1, 2), 4);
    totals.add(3, 5);
    expect([1, 2, 3].map((slot) => totals.of(slot))).toEqual([2, 0, 5]);
    expect([...totals.all()]).toEqual([1, 2, 0, 5]);
    expect(touchedOf(totals)).toEqual([[3, 5]]);
  });

  it('do not change the base values', () => {
    const base = Float32Array.of(1, 2);
    const totals = new Totals();
    totals.begin(base);
    totals.add(0, 5);
    totals.all()[1] = 8;
    expect([...base]).toEqual([1, 2]);
  });
});

describe('totals that start again', () => {
  it('forget what was touched, wherever it was', () => {
    const totals = begun(0, 0, 0, 0);
    for (const slot of [2, 0, 3]) totals.set(slot, 5);
    totals.begin(Float32Array.of(1, 1, 1, 1));
    // Slot 3 moves from the third index to the first, which slot 2 had.
    totals.add(3, 1);
    expect([0, 1, 2, 3].map((slot) => totals.isTouched(slot))).toEqual([false, false, false, true]);
    totals.add(2, 2);
    expect(touchedOf(totals)).toEqual([
      [3, 2],
      [2, 3],
    ]);
    expect([...totals.all()]).toEqual([1, 1, 3, 2]);
  });

  it('have only the slots of a smaller base', () => {
    const totals = begun(0, 0, 0, 0);
    for (const slot of [3, 2, 1, 0]) totals.set(slot, 5);
    totals.begin(Float32Array.of(1, 2));
    totals.add(0, 1);
    expect([0, 1, 2, 3].map((slot) => totals.isTouched(slot))).toEqual([true, false, false, false]);
    expect([totals.of(1), totals.of(3)]).toEqual([2, 0]);
    expect([...totals.all()]).toEqual([2, 2]);
  });

  it('have room for a larger base, with nothing touched', () => {
    const totals = begun(1, 1);
    totals.set(1, 5);
    const base = new Float32Array(5_000).fill(2);
    totals.begin(base);
    expect([0, 1, 4_999].map((slot) => totals.isTouched(slot))).toEqual([false, false, false]);
    for (let slot = 4_999; slot >= 0; slot -= 2) totals.add(slot, slot);
    expect(totals.touched().slots).toHaveLength(2_500);
    expect([...totals.all()]).toEqual(Array.from(base, (_, slot) => (slot % 2 === 1 ? 2 + slot : 2)));
  });
});

import { describe, expect, it } from '@jest/globals';
import { assignVariant } from '../../../domain/experiments/assignVariant.ts';
import { sampleRatioP } from '../../../domain/experiments/sampleRatio.ts';

const PEOPLE = Array.from({ length: 5_000 }, (_, n) => `user:u-${n}`);
const variantsOf = (...shares: number[]) => shares.map((share, at) => ({ name: `v${at}`, share }));
const assigned = (shares: number[], experiment = 'e1') =>
  PEOPLE.map((key) => assignVariant(experiment, key, variantsOf(...shares)));
const counted = (places: readonly number[], variants: number) =>
  Array.from({ length: variants }, (_, at) => places.filter((place) => place === at).length);

describe('the variant of a person', () => {
  // proves: surfaces/assignment
  it.each([[[0.5, 0.5]], [[0.9, 0.1]], [[0.333, 0.333, 0.333]], [[0.1, 0.2, 0.3, 0.4]]])(
    'is drawn by the shares %j',
    (shares) => {
      const p = sampleRatioP(counted(assigned(shares), shares.length), shares) ?? 0;
      // The people are always the same, so only a wrong assignment gives a smaller p.
      expect(p).toBeGreaterThan(0.01);
    },
  );

  // proves: surfaces/assignment
  it('is stable, and another experiment draws again', () => {
    expect(assigned([0.5, 0.5])).toEqual(assigned([0.5, 0.5]));
    const [one, other] = [assigned([0.5, 0.5]), assigned([0.5, 0.5], 'e2')];
    const same = one.filter((place, at) => place === other[at]).length;
    expect(sampleRatioP([same, PEOPLE.length - same], [0.5, 0.5])).toBeGreaterThan(0.01);
  });

  it('changes for no more people than necessary when shares change, and not between variants with unchanged shares', () => {
    const before = assigned([0.4, 0.3, 0.3]);
    const after = assigned([0.6, 0.2, 0.2]);
    const moved = before.flatMap((place, at) => (place === after[at] ? [] : [after[at]]));
    expect(new Set(moved)).toEqual(new Set([0]));
    expect(moved.length / PEOPLE.length).toBeCloseTo(0.2, 1);
  });

  // proves: surfaces/nobody
  it('is never one with a share of 0, and is drawn again each time if the person is unknown', () => {
    expect(new Set(assigned([0.5, 0, 0.5]))).toEqual(new Set([0, 2]));
    const drawn = Array.from({ length: 200 }, () => assignVariant('e1', null, variantsOf(0.5, 0.5)));
    expect(new Set(drawn)).toEqual(new Set([0, 1]));
  });
});

import { describe, expect, it } from '@jest/globals';
import { companionsOf, heaviestOf } from '../../../output/training/companions.ts';
import { modelOf } from '../support/models.ts';

describe('the targets that stand out in a row', () => {
  // proves: output-shown/suppress-neighbours
  it('have at least half of the heaviest weight, in whatever unit', () => {
    const weights = [0.2, 0.8, 0.39, 0.4, -0.9];
    expect(heaviestOf(Float32Array.from(weights))).toEqual([1, 3]);
    expect(heaviestOf(Float32Array.from(weights, (weight) => weight * 1e-6))).toEqual([1, 3]);
    expect(heaviestOf(Float32Array.from(weights, (weight) => weight * 1_000))).toEqual([1, 3]);
  });

  // proves: output-shown/suppress-neighbours
  it('are at most ten, the heaviest', () => {
    const weights = Float32Array.from({ length: 30 }, (_, n) => 1 + n / 100);
    expect(heaviestOf(weights)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
  });

  it('do not exist in a row of unwanted items, or in an empty row', () => {
    expect(heaviestOf(Float32Array.of(-1, -2, 0))).toEqual([]);
    expect(heaviestOf(new Float32Array())).toEqual([]);
  });
});

describe('the companions of a model', () => {
  const TASTE = { bought: { same: 0.9, near: 0.5, far: 0.1 }, other: { same: 1 }, shunned: { same: -1 } };

  it('are the items that stand out in the row of each item, the closest first', () => {
    expect(companionsOf(modelOf({ taste: TASTE }))).toEqual([
      { item: 'bought', companions: ['same', 'near'] },
      { item: 'other', companions: ['same'] },
    ]);
  });

  it('are unknown for items that hardly anybody has met', () => {
    expect(companionsOf(modelOf({ taste: TASTE, people: 9 }))).toEqual([]);
    expect(companionsOf(modelOf({ taste: TASTE, people: 10 }))).toHaveLength(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { heaviestOf } from '../../../../output/selection/models/suppressedAlong.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change, feedFor, nextAfter, similarTo, placedAt } from '../../support/catalogues.ts';
import { modelOf, type Planted } from '../../support/models.ts';

const rowOf = (weights: readonly number[]) => ({
  slots: Uint32Array.from(weights, (_, at) => at),
  weights: Float32Array.from(weights),
});

describe('the targets that stand out in a row', () => {
  // proves: output-shown/suppress-neighbours
  it('have at least half of the heaviest weight, in whatever unit', () => {
    const weights = [0.2, 0.8, 0.39, 0.4, -0.9];
    expect(heaviestOf(rowOf(weights))).toEqual([1, 3]);
    expect(heaviestOf(rowOf(weights.map((weight) => weight * 1e-6)))).toEqual([1, 3]);
    expect(heaviestOf(rowOf(weights.map((weight) => weight * 1_000)))).toEqual([1, 3]);
  });

  // proves: output-shown/suppress-neighbours
  it('are at most ten, the heaviest', () => {
    const weights = Array.from({ length: 30 }, (_, n) => 1 + n / 100);
    expect(heaviestOf(rowOf(weights))).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
  });

  it('are empty in a row of unwanted items, or in an empty row', () => {
    expect(heaviestOf(rowOf([-1, -2, 0]))).toEqual([]);
    expect(heaviestOf(rowOf([]))).toEqual([]);
  });
});

describe('an item that people use together with a suppressed item', () => {
  const IDS = ['bought', 'same', 'near', 'far', 'other'];
  const TASTE = { bought: { same: 0.9, near: 0.5, far: 0.1 }, other: { same: 1 } };
  const ofModel = async (taste: Planted, people?: number) => {
    const placed = placedAt(0);
    const catalogue = catalogueOf(IDS.map((id) => change(id, { placed: id === 'bought' ? null : placed })));
    catalogue.model = await catalogue.place(modelOf({ taste, ...(people !== undefined && { people }) }));
    return catalogue;
  };
  const suppressing = { suppressed: ['bought', 'unknown'], rules: { ...NO_RULES, excludedItems: new Set(['bought']) } };
  const idsOf = ({ ranked }: { ranked: readonly { id: string }[] }) => ranked.map(({ id }) => id).toSorted();

  // proves: output-shown/suppress-neighbours
  it('is suppressed as well, in every ranking', async () => {
    const catalogue = await ofModel(TASTE);
    const taste = { items: [{ item: 'other', weight: 1 }] };
    expect(idsOf(rank(catalogue, feedFor({ ...suppressing, taste })))).toEqual(['far', 'other']);
    expect(idsOf(rank(catalogue, { ...nextAfter(['other']), suppressed: ['bought'] }))).toEqual(['bought', 'far']);
    expect(idsOf(rank(catalogue, similarTo('other', suppressing)))).toEqual(['far']);
    expect(idsOf(rank(catalogue, feedFor({ taste })))).toEqual(IDS.toSorted());
  });

  // proves: output-shown/suppress-neighbours
  it('is not chosen as a trial of a new item either', async () => {
    const catalogue = await ofModel(TASTE);
    catalogue.apply(IDS.map((id) => change(id, { publishedAt: new Date() })));
    for (let seed = 1; seed <= 20; seed += 1)
      expect(idsOf(rank(catalogue, feedFor({ ...suppressing, exploration: 0.3, seed })))).toEqual(['far', 'other']);
  });

  it('leaves a full page, however many of the first items are suppressed', async () => {
    const many = Array.from({ length: 40 }, (_, n) => `i-${n}`);
    const catalogue = catalogueOf(many.map((id) => change(id)));
    const heavy = Object.fromEntries(many.slice(4, 14).map((id) => [id, 1]));
    const taste = { 'i-0': heavy, 'i-1': { ...heavy, 'i-20': 0.3 } };
    catalogue.model = await catalogue.place(modelOf({ taste }));
    const asked = { taste: { items: [{ item: 'i-1', weight: 1 }] }, suppressed: ['i-0'], limit: 4 };
    const { ranked } = rank(catalogue, feedFor(asked));
    expect(ranked).toHaveLength(4);
    expect(ranked[0]?.id).toBe('i-20');
    expect(ranked.filter(({ id }) => id in heavy)).toEqual([]);
  });

  it('is not known for an item that hardly anybody has met, nor without a model', async () => {
    const few = await ofModel(TASTE, 9);
    expect(idsOf(rank(few, feedFor(suppressing)))).toEqual(['far', 'near', 'other', 'same']);
    const none = catalogueOf(IDS.map((id) => change(id)));
    expect(idsOf(rank(none, feedFor(suppressing)))).toEqual(['far', 'near', 'other', 'same']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { meanOf } from '../../../output/training/evaluate/rankingQuality.ts';
import { lastWindow } from '../../../output/training/evaluate/evaluationWindow.ts';
import { compare, untilShare } from '../../../tools/scripts/quality/compare.ts';
import { plantedInteractions } from '../../support/people/plantedEvents.ts';

describe('a model of generated tastes, seasons and series', () => {
  const data = plantedInteractions({ people: 600, items: 300, events: 24, groups: 6, days: 90 });
  const window = lastWindow(data);
  const results = window && compare(data, window)?.results;
  const ndcgOf = (name: string): number =>
    meanOf(results?.find((each) => each.name.startsWith(name))?.found ?? []).ndcg;
  const others = results?.filter(({ name }) => name !== 'model') ?? [];

  it('is compared with popularity, item kNN and EASE', () => {
    expect(others.map(({ name }) => name.split(',')[0])).toEqual(['popular', 'item kNN', 'EASE', 'EASE', 'EASE']);
    for (const { found } of others) expect(meanOf(found).ndcg).toBeGreaterThan(0.005);
  });

  it.each(['popular', 'item kNN', 'EASE, λ = 10', 'EASE, λ = 100', 'EASE, λ = 1000'])('beats %s', (name) => {
    expect(ndcgOf('model')).toBeGreaterThan(ndcgOf(name));
  });
});

describe('the events up to a given share', () => {
  it('are the earliest ones, with the same people and items', () => {
    const data = plantedInteractions({ people: 60, items: 30, events: 24, groups: 6, days: 90 });
    const before = untilShare(data, 0.25);
    expect(before.seconds.length / data.seconds.length).toBeCloseTo(0.25, 1);
    expect(before.seconds.toSorted()).toEqual(data.seconds.toSorted().slice(0, before.seconds.length));
    expect([before.ids, before.offsets.length]).toEqual([data.ids, data.offsets.length]);
  });
});

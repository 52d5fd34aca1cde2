import { describe, expect, it } from '@jest/globals';
import { lastWindow } from '../../../output/training/window.ts';
import { compare } from '../../../scripts/quality/compare.ts';
import { plantedInteractions } from '../support/plantedEvents.ts';

describe('a model of planted tastes, seasons and series', () => {
  const data = plantedInteractions({ people: 900, items: 400, events: 24, groups: 8, days: 90 });
  const window = lastWindow(data);
  const results = window && compare(data, window)?.results;
  const ndcgOf = (name: string): number => results?.find((each) => each.name.startsWith(name))?.found.ndcg ?? NaN;
  const others = results?.filter(({ name }) => name !== 'model') ?? [];

  it('is compared with popularity, item kNN and EASE', () => {
    expect(others.map(({ name }) => name.split(',')[0])).toEqual(['popular', 'item kNN', 'EASE', 'EASE', 'EASE']);
    for (const { found } of others) expect(found.ndcg).toBeGreaterThan(0.005);
  });

  it.each(['popular', 'item kNN', 'EASE, λ = 10', 'EASE, λ = 100', 'EASE, λ = 1000'])('finds more than %s', (name) => {
    expect(ndcgOf('model')).toBeGreaterThan(ndcgOf(name));
  });
});

import { describe, expect, it } from '@jest/globals';
import { FADINGS } from '../../../output/training/hyperparameters.ts';
import { choose, clearlyBest } from '../../../output/training/choose.ts';
import type { Interactions } from '../../../output/training/interactions.ts';
import { plantedInteractions } from '../../support/plantedEvents.ts';

const asFound = (values: readonly number[]) => values.map((ndcg) => ({ ndcg, recall: 0 }));

describe('the best of several settings', () => {
  it('is the one with the highest mean, once it is clear', () => {
    const usual = Array.from({ length: 400 }, (_, n) => (n % 2) * 0.4);
    const better = usual.map((value, n) => value + (n % 4 === 0 ? 0.1 : 0));
    expect(clearlyBest([usual, usual, better].map(asFound))).toBe(2);
  });

  it('is the first one while others may be better by chance', () => {
    const usual = [0, 0.4, 0, 0.4, 0, 0.4, 0, 0.4];
    const luckier = [0, 0.4, 0, 0.4, 0, 0.4, 0.5, 0.4];
    expect(clearlyBest([usual, luckier].map(asFound))).toBe(0);
    expect(clearlyBest([usual, usual].map(asFound))).toBe(0);
    expect(clearlyBest([[], []])).toBe(0);
  });
});

describe('a project in which few people came back in the last window', () => {
  /** Most people come once, on a day of their own; the model knows their tastes, and the window has two dozen of them. */
  const data = plantedInteractions({ people: 400, items: 120, events: 24, groups: 4, days: 90 });
  const rare = withoutReturns(data, 40);
  const choice = choose(rare, { sampleOf: 1, reference: Math.max(...rare.seconds), published: null });

  it('gets a model that finds more than popular items do, with lasting tastes', () => {
    expect(choice?.reason).toBeNull();
    expect(choice?.quality.ndcg).toBeGreaterThan(choice?.quality.popular_7d ?? 1);
    expect(choice?.settings.blend).toMatchObject(FADINGS[0]);
  });
});

/** Moves the events of most people into one day of their own; the first `returning` keep theirs. */
function withoutReturns(data: Interactions, returning: number): Interactions {
  const seconds = data.seconds.slice();
  for (let person = returning; person < data.offsets.length - 1; person += 1) {
    const [begin = 0, end = 0] = data.offsets.subarray(person, person + 2);
    const first = seconds[begin] ?? 0;
    for (let event = begin; event < end; event += 1) seconds[event] = first + (event - begin) * 60;
  }
  return { ...data, seconds };
}

import { describe, expect, it } from '@jest/globals';
import { FADINGS } from '../../../../output/training/evaluate/hyperparameters.ts';
import { chooseHyperparameters } from '../../../../output/training/evaluate/chooseHyperparameters.ts';
import type { Interactions } from '../../../../output/training/rows/interactions.ts';
import { createRandom } from '../../../../tools/load/random.ts';
import { plantedInteractions } from '../../../support/people/plantedEvents.ts';

const DAY = 86_400;

describe('a project in which few people came back in the last window', () => {
  /**
   * Most people come once, on a day of their own. The model knows their tastes, but the window has only 36 of the 400.
   */
  const data = plantedInteractions({ people: 400, items: 120, events: 24, groups: 4, days: 90 });
  const rare = withoutReturns(data, 40);
  const choice = chooseHyperparameters(rare, { sampleOf: 1, reference: Math.max(...rare.seconds), published: null });

  it('gets a model that finds more than popular items do, with the greatest weight for lasting tastes', () => {
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

describe('a project whose last window was a fashion that nobody’s history foretells', () => {
  const reasonOf = (returning: number, daysBefore: number, people = 400) => {
    const data = withFashion({ returning, daysBefore, people });
    return chooseHyperparameters(data, { sampleOf: 1, reference: Math.max(...data.seconds), published: null })?.reason;
  };

  it('gets a model if the model fails only for the few people who came back', () => {
    expect(reasonOf(30, 10)).toBeNull();
  });

  it('gets no model if the model would fail for hundreds of people, however many others it would serve', () => {
    expect(reasonOf(420, 3, 1_600)).toBe('below_popularity');
  });

  it('gets no model if everybody came back for the fashion', () => {
    expect(reasonOf(400, 3)).toBe('below_popularity');
  });
});

interface Fashion {
  returning: number;
  /** Days by which the new items come before those who return. */
  daysBefore: number;
  people: number;
}

/**
 * People who visit once, with tastes. Later, 60 of them meet one new item each. Last come those who return: each meets
 * an item that they know, and then one of the new ones.
 */
function withFashion({ returning, daysBefore, people: count }: Fashion): Interactions {
  const tastes = withoutReturns(plantedInteractions({ people: count, items: 60, events: 12, groups: 4, days: 90 }), 0);
  const known = tastes.ids.length;
  const end = Math.max(...tastes.seconds);
  const people = Array.from({ length: tastes.offsets.length - 1 }, (_, person) => {
    const [begin = 0, until = 0] = tastes.offsets.subarray(person, person + 2);
    const items = [...tastes.items.subarray(begin, until)];
    const events = items.map((item, index) => ({ item, at: tastes.seconds[begin + index] ?? 0 }));
    const fashion = known + (person % 7);
    if (person >= count - 60) events.push({ item: fashion, at: end + (15 - daysBefore) * DAY });
    if (person >= returning) return events;
    const visit = [...Array.from({ length: 11 }, () => items[0] ?? 0), known + ((person + 3) % 7)];
    return [...events, ...visit.map((item, index) => ({ item, at: end + 15 * DAY + index * 60 }))];
  });
  const all = people.flat();
  const offsets = [0];
  for (const own of people) offsets.push((offsets.at(-1) ?? 0) + own.length);
  return {
    ids: [...tastes.ids, ...Array.from({ length: 7 }, (_, item) => `new-${item}`)],
    offsets: Uint32Array.from(offsets),
    items: Uint32Array.from(all, ({ item }) => item),
    seconds: Uint32Array.from(all, ({ at }) => at),
    weights: new Float32Array(all.length).fill(1),
    baskets: new Uint32Array(all.length),
  };
}

describe('a project in which nobody has a taste', () => {
  it('gets no model, although popularity in the last week predicts visits of months ago badly', () => {
    const choice = chooseHyperparameters(withoutTastes(400, 100), {
      sampleOf: 1,
      reference: 100 * DAY,
      published: null,
    });
    expect(choice?.reason).toBe('below_popularity');
  });
});

/** People with one visit each, spread over 100 days, who meet items at random, some items more often than others. */
function withoutTastes(people: number, items: number): Interactions {
  const random = createRandom(4);
  let sum = 0;
  const sums = Array.from({ length: items }, (_, item) => (sum += 1 / (item + 1)));
  const anyItem = (): number => {
    const drawn = random.next() * sum;
    return sums.findIndex((upTo) => upTo > drawn);
  };
  const events = Array.from({ length: people }, () => [...new Set(Array.from({ length: 20 }, anyItem))]);
  const offsets = [0];
  for (const own of events) offsets.push((offsets.at(-1) ?? 0) + own.length);
  const all = events.flat();
  const timeOf = (person: number, index: number): number => Math.floor((person * 100 * DAY) / people) + index * 60;
  return {
    ids: Array.from({ length: items }, (_, item) => `i-${item}`),
    offsets: Uint32Array.from(offsets),
    items: Uint32Array.from(all),
    seconds: Uint32Array.from(events.flatMap((own, person) => own.map((_, index) => timeOf(person, index)))),
    weights: new Float32Array(all.length).fill(1),
    baskets: new Uint32Array(all.length),
  };
}

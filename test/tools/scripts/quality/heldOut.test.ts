import { describe, expect, it } from '@jest/globals';
import { peopleOf, type Interactions } from '../../../../output/training/rows/interactions.ts';
import { lastItem, randomFifth, type HeldOut } from '../../../../tools/scripts/quality/heldOut.ts';
import { plantedInteractions } from '../../../support/people/plantedEvents.ts';

const data = plantedInteractions({ people: 80, items: 40, events: 30, groups: 4, days: 60 });

const itemsOf = ({ offsets, items }: Interactions, person: number): number[] => [
  ...items.subarray(offsets[person], offsets[person + 1]),
];

function expectDivided({ train, relevant }: HeldOut): void {
  expect([peopleOf(train), relevant.length]).toEqual([peopleOf(data), peopleOf(data)]);
  for (const [person, held] of relevant.entries()) {
    const before = itemsOf(data, person);
    expect(itemsOf(train, person)).toEqual(before.filter((item) => !held.includes(item)));
    expect(before).toEqual(expect.arrayContaining([...held]));
  }
}

describe('a random fifth of each person’s items', () => {
  it('is held back with all of its events, and the same seed holds back the same', () => {
    const held = randomFifth(data, 7);
    expectDivided(held);
    for (const [person, wanted] of held.relevant.entries())
      expect(wanted.length).toBe(Math.round(new Set(itemsOf(data, person)).size / 5));
    expect(randomFifth(data, 7)).toEqual(held);
    expect(randomFifth(data, 8).relevant).not.toEqual(held.relevant);
  });
});

describe('the last item of each person', () => {
  it('is the latest item that was new to the person', () => {
    const held = lastItem(data);
    expectDivided(held);
    for (const [person, wanted] of held.relevant.entries())
      expect([...wanted]).toEqual([...new Set(itemsOf(data, person))].slice(-1));
  });

  it('stays with somebody who has no other', () => {
    const one: Interactions = {
      ids: ['a'],
      offsets: Uint32Array.of(0, 2),
      items: Uint32Array.of(0, 0),
      seconds: Uint32Array.of(1, 2),
      weights: Float32Array.of(1, 1),
      baskets: Uint32Array.of(0, 0),
    };
    expect(lastItem(one).relevant).toEqual([new Uint32Array(0)]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TopSlots } from '../../../../output/selection/vectors/topSlots.ts';

const sorted = (scores: readonly number[]) =>
  scores
    .map((score, slot) => ({ slot, score: Math.fround(score) }))
    .sort((a, b) => b.score - a.score || a.slot - b.slot);

describe('TopSlots', () => {
  it('keeps what a full sort would have put first, in order', () => {
    const scores = fc.array(fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 0.5)));
    fc.assert(
      fc.property(scores, fc.integer({ min: 0, max: 20 }), fc.boolean(), (given, capacity, isAscending) => {
        const top = new TopSlots(capacity);
        const slots = isAscending ? [...given.keys()] : [...given.keys()].reverse();
        for (const slot of slots) {
          const score = given[slot] as number;
          if (slot % 2 === 0 || top.hasRoom(slot, score)) top.offer(slot, score);
        }
        const best = sorted(given).slice(0, capacity);
        const { slots: found, scores } = top.take();
        expect([...found]).toEqual(best.map(({ slot }) => slot));
        expect([...scores]).toEqual(best.map(({ score }) => score));
        expect(top.isCut).toBe(given.length > capacity);
      }),
    );
  });
});

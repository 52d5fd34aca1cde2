import { describe, expect, it } from '@jest/globals';
import { assignVariant } from '../../../domain/experiments/assignVariant.ts';
import { lotOf, peopleOf, SLOTS, type Sampled } from '../../../domain/experiments/samplePeople.ts';
import { sampleRatioP } from '../../../domain/experiments/sampleRatio.ts';

/** Samples people as the database does. */
function sampleOf(people: number, experiment: string): Sampled[] {
  const variants = [
    { name: 'a', share: 0.7 },
    { name: 'b', share: 0.3 },
  ];
  const slots = new Map<number, { mark: number; variant: number }>();
  for (let n = 0; n < people; n += 1) {
    const { slot, mark } = lotOf(experiment, `user:${n}`);
    if (mark < (slots.get(slot)?.mark ?? Infinity))
      slots.set(slot, { mark, variant: assignVariant(experiment, `user:${n}`, variants) });
  }
  return variants.map((_, index) => {
    const own = [...slots.values()].filter(({ variant }) => variant === index);
    return { people: own.length, marks: own.reduce((sum, { mark }) => sum + mark, 0) };
  });
}

describe('the sample of people', () => {
  it.each([3, 100, 2_000, 30_000])('estimates %d people of two variants', (people) => {
    const [a = 0, b = 0] = peopleOf(sampleOf(people, 'e1'));
    const error = people < 10 ? 0 : 4 / Math.sqrt(Math.min(people, SLOTS));
    expect(Math.abs((a + b) / people - 1)).toBeLessThanOrEqual(error);
    expect(Math.abs(b / people - 0.3)).toBeLessThan(people < 10 ? 0.7 : error);
  });

  it('has the shares of the variants, and no more people than slots', () => {
    const counts = sampleOf(20_000, 'e2').map(({ people }) => people);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(SLOTS);
    expect(sampleRatioP(counts, [0.7, 0.3])).toBeGreaterThan(0.001);
  });

  it('is empty without an answer', () => {
    expect(
      peopleOf([
        { people: 0, marks: 0 },
        { people: 0, marks: 0 },
      ]),
    ).toEqual([0, 0]);
  });
});

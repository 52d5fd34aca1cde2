/** Counts the past hits that a goal would have matched. */
import { describe, expect, it } from '@jest/globals';
import { countGoalMatches } from '../../../domain/visits/tryGoalOnPastHits.ts';

const TEXTS = [
  { text: 'https://shop.example/', hits: 10 },
  { text: 'https://shop.example/thanks/', hits: 3 },
  { text: 'https://shop.example/thanks?order=1', hits: 2 },
];
const OPTIONS = {
  compile: (pattern: string) => (text: string) => text.includes(pattern),
  mostExamples: 1,
  shouldContinue: () => Promise.resolve(true),
};

describe('a tried goal', () => {
  it('counts the hits that reach it, and gives the first matching texts as examples', async () => {
    const goal = { type: 'url', match: { op: 'eq', value: '/thanks' } } as const;
    expect(await countGoalMatches(goal, TEXTS, OPTIONS)).toEqual({
      hits: 15,
      matched: 5,
      examples: [TEXTS[1]],
      isComplete: true,
    });
  });

  it('is incomplete if it was stopped before everything was checked', async () => {
    let left = 1;
    const shouldContinue = () => Promise.resolve(left-- > 0);
    const goal = { type: 'url', match: { op: 'regex', value: 'shop' } } as const;
    expect(await countGoalMatches(goal, TEXTS, { ...OPTIONS, shouldContinue })).toMatchObject({
      hits: 10,
      matched: 10,
      isComplete: false,
    });
  });

  it.each([
    [{ type: 'form', match: null }, 15],
    [{ type: 'form', match: { form_id: 'https://shop.example/' } }, 10],
    [{ type: 'event', match: { name: 'https://shop.example/thanks/' } }, 3],
  ] as const)('with a name or an id matches the whole of it only: %j', async (goal, matched) => {
    expect((await countGoalMatches(goal, TEXTS, OPTIONS)).matched).toBe(matched);
  });
});

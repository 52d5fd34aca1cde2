import { expect, it } from '@jest/globals';
import { createEmptyAnswers } from '../../../../providers/openai/chat/emptyAnswers.ts';

const LAST = { wasUnanswered: true, isLastAttempt: true };

it.each<[string, Parameters<ReturnType<typeof createEmptyAnswers>['isRefusal']>[0], number, boolean]>([
  ['in the last attempt of a later try, while the server answers about other items', { item: 'a', ...LAST }, 10, true],
  ['never in the first try', { item: 'a', isLastAttempt: true }, 1, false],
  ['never while a quick attempt follows', { item: 'a', wasUnanswered: true }, 1, false],
  ['never if the last answer was long ago', { item: 'a', ...LAST }, 11, false],
  ['never if the last answer was about the same item', { item: 'b', ...LAST }, 1, false],
])('silence is a refusal %s', (_, context, minutes, expected) => {
  let now = 0;
  const emptyAnswers = createEmptyAnswers(() => now);
  emptyAnswers.recordAnswer('b');
  now = minutes * 60_000;
  expect(emptyAnswers.isRefusal(context)).toBe(expected);
});

it('silence is no refusal if nothing was ever answered', () => {
  expect(createEmptyAnswers().isRefusal({ item: 'a', ...LAST })).toBe(false);
});

it('an answer about the item itself leaves the answer about another one in force', () => {
  const emptyAnswers = createEmptyAnswers(() => 0);
  for (const item of ['b', 'a', 'a']) emptyAnswers.recordAnswer(item);
  expect(emptyAnswers.isRefusal({ item: 'a', ...LAST })).toBe(true);
  expect(emptyAnswers.isRefusal({ item: 'b', ...LAST })).toBe(true);
});

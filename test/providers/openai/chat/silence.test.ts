import { expect, it } from '@jest/globals';
import { createSilence } from '../../../../providers/openai/chat/silence.ts';

const LAST = { wasUnanswered: true, isLastAttempt: true };

it.each<[string, Parameters<ReturnType<typeof createSilence>['isRefusal']>[0], number, boolean]>([
  ['in the last attempt of a later try, while the server answers about other items', { item: 'a', ...LAST }, 10, true],
  ['never in the first try', { item: 'a', isLastAttempt: true }, 1, false],
  ['never while a quick attempt follows', { item: 'a', wasUnanswered: true }, 1, false],
  ['never if the last answer was long ago', { item: 'a', ...LAST }, 11, false],
  ['never if the last answer was about the same item', { item: 'b', ...LAST }, 1, false],
])('silence is a refusal %s', (_, context, minutes, expected) => {
  let now = 0;
  const silence = createSilence(() => now);
  silence.recordAnswer('b');
  now = minutes * 60_000;
  expect(silence.isRefusal(context)).toBe(expected);
});

it('silence is no refusal if nothing was ever answered', () => {
  expect(createSilence().isRefusal({ item: 'a', ...LAST })).toBe(false);
});

it('an answer about the item itself leaves the answer about another one in force', () => {
  const silence = createSilence(() => 0);
  for (const item of ['b', 'a', 'a']) silence.recordAnswer(item);
  expect(silence.isRefusal({ item: 'a', ...LAST })).toBe(true);
  expect(silence.isRefusal({ item: 'b', ...LAST })).toBe(true);
});

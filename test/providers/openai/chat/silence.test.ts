import { expect, it } from '@jest/globals';
import { createSilence } from '../../../../providers/openai/chat/silence.ts';

it.each<[string, Parameters<ReturnType<typeof createSilence>['isRefusal']>[0], number, boolean]>([
  ['in a later try, while the server answers about other items', { item: 'a', isLaterTry: true }, 10, true],
  ['never in the first try', { item: 'a' }, 1, false],
  ['never if the last answer was long ago', { item: 'a', isLaterTry: true }, 11, false],
  ['never if the last answer was about the same item', { item: 'b', isLaterTry: true }, 1, false],
])('silence is a refusal %s', (_, context, minutes, expected) => {
  let now = 0;
  const silence = createSilence(() => now);
  silence.ended('b');
  now = minutes * 60_000;
  expect(silence.isRefusal(context)).toBe(expected);
});

it('silence is no refusal if nothing was ever answered', () => {
  expect(createSilence().isRefusal({ item: 'a', isLaterTry: true })).toBe(false);
});

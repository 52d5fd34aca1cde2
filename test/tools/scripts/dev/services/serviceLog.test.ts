import { describe, expect, it } from '@jest/globals';
import { makeRepeatFilter, problemOf } from '../../../../../tools/scripts/dev/services/serviceLog.ts';

describe('problemOf', () => {
  it.each([
    ['{"level":"info","msg":"ready"}', 'stdout', null],
    ['{"level":"warn","msg":"slow"}', 'stdout', 'slow'],
    [
      '{"level":"error","msg":"could not claim","err":{"message":"no such table"}}',
      'stdout',
      'could not claim (no such table)',
    ],
    ['{"level":"error","msg":"no such table","err":{"message":"no such table"}}', 'stdout', 'no such table'],
    ['{"level":"fatal","err":{"message":"boom"}}', 'stdout', 'something went wrong (boom)'],
    ['{"level":"warn","sdk":{},"msg":"No workflows registered"}', 'stdout', null],
    ['{"level":"error","sdk":{},"msg":"worker failed"}', 'stdout', 'worker failed'],
    ['plain words', 'stdout', null],
    ['PORT is not set', 'stderr', 'PORT is not set'],
    ['{broken', 'stderr', '{broken'],
    ['  ', 'stderr', null],
  ] as const)('turns %s on %s into %s', (text, stream, expected) => {
    expect(problemOf(text, stream)).toBe(expected);
  });
});

it('a repeated line is shown again only after a minute', () => {
  let now = 0;
  const isNews = makeRepeatFilter(() => now);
  expect([isNews('a'), isNews('a'), isNews('b')]).toEqual([true, false, true]);
  now = 59_999;
  expect(isNews('a')).toBe(false);
  now = 60_000;
  expect(isNews('a')).toBe(true);
});

import { describe, expect, it } from '@jest/globals';
import {
  compareList,
  editDistance,
  readingErrors,
  readsAsSentences,
} from '../../../../tools/scripts/yardstick/compare.ts';
import { readSamples } from '../../../../tools/scripts/yardstick/samples.ts';

describe('compareList', () => {
  it('counts correct and found entries, in any of the wordings', () => {
    const hits = compareList(['Свекла', 'бульон', 'едет трамвай'], ['свёкла', 'борщ | рецепт борща'], ['бульон']);
    expect(hits).toEqual({ given: 3, right: 2, expected: 2, found: 1 });
  });

  it('counts another case as an error', () => {
    expect(compareList(['Анны Ивановой'], ['Анна Иванова'])).toMatchObject({ right: 0, found: 0 });
  });
});

describe('readsAsSentences', () => {
  const item = { title: 'Борщ', body: 'Борщ\n\n1. Нарежьте свёклу соломкой.\nОн любит суп. Варите свёклу час!' };

  it.each([
    ['Варите свёклу час!', true],
    ['Он любит суп.', false],
    ['1. Нарежьте свёклу соломкой.', false],
    ['Борщ. Варите свёклу час!', false],
    ['Варите свёклу', false],
    ['Варите свёклу два часа.', false],
  ])('of %j is %s', (summary, expected) => {
    expect(readsAsSentences(summary, { item })).toBe(expected);
  });
});

describe('reading errors', () => {
  it('are edits of characters, with all white space equal', () => {
    expect(editDistance('ДЕПО', 'ДЕПО')).toBe(0);
    expect(editDistance('', 'abc')).toBe(3);
    expect(editDistance('kitten', 'sitting')).toBe(3);
    expect(readingErrors('ТРАМ  ВАЙ\nтам', 'ТРАМВАЙ там')).toEqual({ edits: 1, characters: 11 });
  });
});

it('the yardstick reads all samples', async () => {
  const samples = await readSamples();
  expect(samples.length).toBeGreaterThanOrEqual(40);
});

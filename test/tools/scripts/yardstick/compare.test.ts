import { describe, expect, it } from '@jest/globals';
import {
  compareList,
  compareSentences,
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

  it('counts another grammatical case as an error', () => {
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
  ])('says of %j: %s', (summary, expected) => {
    expect(readsAsSentences(summary, { item })).toBe(expected);
  });
});

it('a summary of an HTML text reads as sentences', () => {
  const body = '<p>Cacti need <em>little</em> water.</p><ul><li>Lift the pot</li></ul>';
  expect(readsAsSentences('Cacti need little water.', { item: { body } })).toBe(true);
});

it('compareSentences counts chosen sentences, and the first one as the main one', () => {
  const summary = 'Паром отменили. Ждут шторма. Билеты вернут.';
  expect(compareSentences(summary, ['Ждут', 'Паром'])).toEqual({ given: 3, right: 2, expected: 1, found: 1 });
  expect(compareSentences(summary, ['Людей', 'Паром'])).toMatchObject({ right: 1, found: 0 });
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

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { stem } from '../../../../domain/dictionaries/stems.ts';
import { commonPrefix } from '../../../../output/search/text/indexedWords.ts';

const { resolve } = createRequire(import.meta.url);

function wordsOf(dictionary: string): string[] {
  const lines = readFileSync(join(dirname(resolve(dictionary)), 'index.dic'), 'utf8')
    .split('\n')
    .slice(1);
  const words = lines.map((line) => (line.split(/[/\s]/)[0] ?? '').toLowerCase().replaceAll('ё', 'е'));
  // Long words keep their beginning.
  return words.filter((word) => /^(?:[a-z]{1,6}|[а-я]{1,6})$/.test(word));
}

const formsOf = (word: string): string[] => [
  word,
  `${word}s`,
  `${word}ly`,
  word.replace(/e?$/, 'ing'),
  word.replace(/e?$/, 'ed'),
  word.replace(/y$/, 'ies'),
];

it('every word begins with the prefix of its stem', () => {
  const words = [...wordsOf('dictionary-en').flatMap(formsOf), ...wordsOf('dictionary-ru')];
  expect(words.length).toBeGreaterThan(50_000);
  // No word is a form of "ay" or "ey".
  const real = words.filter((word) => !/^[ae]y(?:ed|ing)$/.test(word));
  expect(real.filter((word) => !new RegExp(`^${commonPrefix(stem(word))}`).test(word))).toEqual([]);
});

it('the prefix of a short word leaves its last letter open only if forms of the word change it', () => {
  expect(['toy', 'use', 'cat', 'cats'].map((word) => commonPrefix(stem(word)))).toEqual([
    'to[yi]',
    'us[ei]',
    'cat',
    'cat',
  ]);
});

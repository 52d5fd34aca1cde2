import { expect, it } from '@jest/globals';
import { marksOfQuery } from '../../../output/search/serve/highlights.ts';
import { wordPatterns } from '../../../output/search/serve/wordPatterns.ts';

const stemsOf = (count: number) => Array.from({ length: count }, (_, n) => `слово${String(n).padStart(2, '0')}`);
const matches = (pattern: string | null | undefined, text: string) =>
  new RegExp((pattern ?? '').replaceAll('[:alnum:]', '\\p{L}\\p{N}'), 'iu').test(text);

it('patterns match the known forms of a word, and otherwise whatever begins like its stem', () => {
  const { each, any } = wordPatterns({ stems: ['кот', 'елк'], prefixes: [] }, { кот: ['кот', 'коту'] });
  const textsOf = (pattern: string | null | undefined) =>
    ['Чёрный КОТ', 'который', 'скот', 'Ёлки', 'у коту_'].filter((text) => matches(pattern, text));
  expect(each.map(textsOf)).toEqual([['Чёрный КОТ', 'у коту_'], ['Ёлки']]);
  expect(textsOf(any)).toEqual(['Чёрный КОТ', 'который', 'Ёлки', 'у коту_']);
});

it('patterns leave out connecting words if there are others', () => {
  expect(wordPatterns({ stems: ['о', 'когд', 'кот'], prefixes: [] }, { когд: ['когда'] }).each).toHaveLength(1);
  expect(wordPatterns({ stems: ['о'], prefixes: ['елк'] }, {}).each).toHaveLength(1);
  expect(wordPatterns({ stems: ['о', 'на'], prefixes: [] }, {}).each).toHaveLength(2);
  expect(wordPatterns({ stems: [], prefixes: [] }, {})).toEqual({ each: [], any: null });
});

it('there are at most eight patterns, the last one for all further words', () => {
  const { each, any } = wordPatterns({ stems: stemsOf(50), prefixes: [] }, {});
  expect(each).toHaveLength(8);
  for (const pattern of [each.at(-1), any]) expect(matches(pattern, 'и слово49')).toBe(true);
});

it('patterns treat a word that names a member of every JavaScript object like any other', () => {
  const { each, any } = wordPatterns(marksOfQuery('constructor java'), {});
  expect(each).toHaveLength(2);
  expect(matches(any, 'a constructor')).toBe(true);
});

it('a typed beginning and all its completions share one pattern', () => {
  expect(wordPatterns({ stems: stemsOf(50), prefixes: ['слов'] }, {}).each).toHaveLength(1);
});

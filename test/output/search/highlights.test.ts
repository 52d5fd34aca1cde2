import { describe, expect, it } from '@jest/globals';
import { fragmentOf, markText, marksOfQuery } from '../../../output/search/serve/highlights.ts';

/** What is between the ranges, by code points. */
function marked(text: string, query: string, prefixes: string[] = []): string[] {
  const characters = [...text];
  const marks = { ...marksOfQuery(query), prefixes };
  return markText(text, marks).ranges.map(([from, to]) => characters.slice(from, to).join(''));
}

describe('marked words', () => {
  it('are those with the stems of the query, in any form', () => {
    expect(marked('Трамваи и ЁЛКА у трамвая', 'трамвай елка')).toEqual(['Трамваи', 'ЁЛКА']);
    expect(marked('Running shoes', 'run')).toEqual(['Running']);
  });

  it('are counted in characters, not in code units', () => {
    expect(markText('🚋🚋 Трамвай', marksOfQuery('трамвай')).ranges).toEqual([[3, 10]]);
  });

  it('are, of a word that is being typed, its beginning', () => {
    expect(marked('Трамваи Петербурга', '', ['трам'])).toEqual(['Трам']);
  });

  it('are no words that only join others, unless the query has no others', () => {
    expect(marked('Стол и стул', 'стол и стул')).toEqual(['Стол', 'стул']);
    expect(marked('Стол и стул', 'и')).toEqual(['и']);
  });

  it('are not what the query does not want', () => {
    expect(marked('Стол и стул', 'стол -стул')).toEqual(['Стол']);
  });
});

describe('a fragment', () => {
  it('is the text around its first marked word', () => {
    const text = `${'Слова о разном. '.repeat(40)}Трамвай пришёл. ${'И ещё слова. '.repeat(40)}`;
    const fragment = fragmentOf(text, marksOfQuery('трамвай'));
    expect(fragment).toContain('Трамвай пришёл');
    expect(fragment.length).toBeLessThan(260);
    expect(fragmentOf('Короткий трамвай', marksOfQuery('трамвай'))).toBe('Короткий трамвай');
  });
});

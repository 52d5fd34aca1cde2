import { describe, expect, it } from '@jest/globals';
import { answerSuggest } from '../../../output/search/match/answerSuggest.ts';
import { NO_RULES } from '../../support/showRules.ts';
import { ask, libraryOf, QUESTION } from './support/library.ts';

const LIBRARY = libraryOf([
  { id: 'a', title: 'История трамваев Петербурга', author: 'Трофимов Иван', tags: ['трамваи'] },
  { id: 'b', title: 'Трамваи Петербурга сегодня', tags: ['трамваи', 'городской транспорт'] },
  { id: 'c', title: 'Рецепт борща' },
  { id: 'e', title: "Women's shoes" },
  { id: 'd', title: 'Стол -лампа "и стул"' },
]);

function suggest(query: string, asked: Partial<typeof QUESTION> = {}) {
  const question = { ...QUESTION, query, prefix: true, limit: 8, ...asked };
  return answerSuggest(LIBRARY, question).suggestions.map(({ kind, text }) => `${kind}: ${text}`);
}

describe('suggestions', () => {
  // proves: output-paths/suggest, search/prefix, search/suggestions
  it('are words, tags, authors and titles that continue the query', () => {
    expect(suggest('тра')).toEqual([
      'tag: трамваи',
      'tag: городской транспорт',
      'query: транспорт',
      'title: История трамваев Петербурга',
      'title: Трамваи Петербурга сегодня',
    ]);
    expect(suggest('городской т')).toEqual(expect.arrayContaining(['tag: городской транспорт']));
    expect(suggest('троф')).toEqual(expect.arrayContaining(['author: Трофимов Иван']));
  });

  it('are found in the other layout, in the other alphabet and with a typing error', () => {
    expect(suggest('peter')).toEqual(expect.arrayContaining(['title: Трамваи Петербурга сегодня']));
    expect(suggest('nhfv')).toEqual(expect.arrayContaining(['title: История трамваев Петербурга']));
    expect(suggest('трамаи пет')).toEqual(expect.arrayContaining(['title: Трамваи Петербурга сегодня']));
    expect(suggest('петребу')).toEqual(expect.arrayContaining(['title: Трамваи Петербурга сегодня']));
  });

  it('do not complete a possessive ending', () => expect(suggest("women's")).toEqual(["title: Women's shoes"]));

  // proves: search/suggested
  it('lead to a hit under the rules of their request', () => {
    const rules = { ...NO_RULES, excludedItems: new Set(['a']) };
    const found = suggest('тра', { rules });
    expect(found).not.toContain('title: История трамваев Петербурга');
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(ask(LIBRARY, one.replace(/^\w+: /, ''), { rules }).total).toBeGreaterThan(0);
    expect(suggest('тра', { rules: { ...NO_RULES, excludedItems: new Set(['a', 'b']) } })).toEqual([]);
  });

  it('do not include titles with excluded words', () => {
    expect(suggest('трамваи -история')).toEqual(expect.arrayContaining(['title: Трамваи Петербурга сегодня']));
    expect(suggest('трамваи -история')).not.toContain('title: История трамваев Петербурга');
  });

  // proves: search/suggested
  it('do not include texts that a search would read as a phrase or an excluded word', () => {
    expect(suggest('лампа')).not.toContain('title: Стол -лампа "и стул"');
  });

  // proves: output-paths/suggest
  it('are at most as many as requested', () => expect(suggest('тра', { limit: 2 }).length).toBe(2));
});

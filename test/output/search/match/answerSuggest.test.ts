import { describe, expect, it } from '@jest/globals';
import type { ItemType } from '../../../../domain/analysis/steps.ts';
import { answerSuggest } from '../../../../output/search/match/answerSuggest.ts';
import { hasMatch } from '../../../../output/search/match/words/anyMatch.ts';
import { interpretQuery } from '../../../../output/search/match/words/interpretQuery.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { libraryOf, QUESTION } from '../support/library.ts';

const WORDS = Array.from({ length: 47 }, (_, n) => `слово${String.fromCodePoint(0x430 + (n % 32), 0x431 + (n >> 5))}`);

/** Each text has 19 of the words; more than half of them would be a hit. */
function textOf(row: number): string {
  return Array.from({ length: 19 }, (_, n) => WORDS[(row + n * 5) % 47]).join(' ');
}

const ITEMS = 3_000;
const books = Array.from({ length: ITEMS }, (_, n) => ({
  id: `book-${n}`,
  texts: [`${textOf(n)} птица пчела пальто перо парус поле письмо поезд`],
}));

describe('suggestions to a query of many words', () => {
  const library = libraryOf(books);

  const long = { ...QUESTION, prefix: true, query: `${WORDS.join(' ')} п`, limit: 10 };

  it('do not look for each of its words in each text', async () => {
    let suggestions: unknown;
    const ms = await cpuMsOf(() => ({ suggestions } = answerSuggest(library, long)));
    expect(suggestions).toEqual([]);
    expect(ms).toBeLessThan(300);
  });

  it('find the only text that has most of its words, wherever it is', () => {
    const some = WORDS.slice(0, 30).join(' ');
    const { index, synonyms } = libraryOf([...books, { id: 'found', texts: [some] }]);
    const asked = interpretQuery(WORDS.join(' '), { index, synonyms, typos: false, prefix: false });
    expect(hasMatch(index, asked, () => true)).toBe(true);
    expect(hasMatch(index, asked, (row) => row < ITEMS)).toBe(false);
    expect(hasMatch(index, asked, (row) => row === ITEMS)).toBe(true);
  });

  it('ask once whether an item may be shown, however many suggestions it would lead to', () => {
    let asked = 0;
    const types = new (class extends Set<ItemType> {
      override has(): boolean {
        asked += 1;
        return false;
      }
    })(['video']);
    const rules = { ...NO_RULES, types };
    expect(answerSuggest(library, { ...long, query: 'п', rules })).toMatchObject({ suggestions: [] });
    expect(asked).toBe(ITEMS);
  });
});

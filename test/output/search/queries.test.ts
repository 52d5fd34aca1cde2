import { describe, expect, it } from '@jest/globals';
import { ask, idsOf, libraryOf } from './support/library.ts';

const LIBRARY = libraryOf(
  [
    { id: 'tram-history', title: 'История трамваев Петербурга' },
    { id: 'tram-today', title: 'Трамвай сегодня', tags: ['городской транспорт'] },
    { id: 'borscht', title: 'Рецепт борща со свёклой', texts: ['Сварите бульон из говядины, как трамвайщик.'] },
    { id: 'mixer', title: 'Миксер кухонный' },
    { id: 'console', title: 'Микшер звуковой' },
    { id: 'shoes', title: 'Running shoes for women', summary: 'Light sneakers.' },
    { id: 'washer', title: 'Стиральная машина Samsung', entities: ['Samsung Electronics'] },
    { id: 'tree', title: 'Ёлка новогодняя' },
    { id: 'film', title: 'A film about trams' },
    { id: 'helicopter', title: 'Радиоуправляемый вертолётик', author: 'Иван Петров' },
    { id: 'jeans', title: "Levi's" },
    { id: 'castle', title: 'За́мок на горе', texts: ['Вело\u00ADсипедная прогулка'] },
  ],
  {
    synonyms: [
      { words: ['стиралка', 'стиральная машина'] },
      { words: ['обувь'], to: ['shoes', 'сапоги'] },
      { words: ["levi's", 'левайс'] },
      { words: ["men's"], to: ['микшер'] },
    ],
  },
);
const hits = (query: string, asked = {}) => idsOf(ask(LIBRARY, query, asked)).toSorted();

describe('the hits of a query', () => {
  it.each([
    // Word forms, in any case; ё and е; both languages at once.
    // proves: search/languages
    ['трамваи', ['tram-history', 'tram-today']],
    ['ТРАМВАЕВ', ['tram-history', 'tram-today']],
    // proves: search/languages
    ['елка', ['tree']],
    ['свекла', ['borscht']],
    // proves: search/languages
    ['shoe', ['shoes']],
    // proves: search/languages
    ['tram', ['film']],
    // Stress marks and soft hyphens change no word, and a possessive ending is no word of its own.
    // proves: search/languages
    ['замок', ['castle']],
    ['за́мок', ['castle']],
    ['"замок на горе"', ['castle']],
    ['велосипедный', ['castle']],
    // proves: search/languages
    ["women's shoe", ['shoes']],
    ['women’s', ['shoes']],
    // Every field.
    ['транспорт', ['tram-today']],
    ['sneaker', ['shoes']],
    ['electronics', ['washer']],
    ['говядина', ['borscht']],
    ['петров', ['helicopter']],
    // All words are required, except connecting ones.
    ['история петербург', ['tram-history']],
    ['история samsung', []],
    ['как трамвай', ['tram-history', 'tram-today']],
    // Most words of a query of three or more are enough if no item has them all.
    ['история старинных трамваев петербурга', ['tram-history']],
    // The other keyboard layout, both ways.
    // proves: search/keyboard
    ['nhfvdfq', ['tram-history', 'tram-today']],
    // proves: search/keyboard
    ['ашдь', ['film']],
    ['`krf', ['tree']],
    // The other alphabet, both ways.
    // proves: search/transliteration
    ['borsch', ['borscht']],
    ['tramvai', ['tram-history', 'tram-today']],
    // proves: search/transliteration
    ['самсунг', ['washer']],
    // Typing errors, by characters.
    // proves: search/typing-errors
    ['борщь', ['borscht']],
    ['тармвай', ['tram-history', 'tram-today']],
    ['радиоупровляемый', ['helicopter']],
    // proves: search/typing-errors
    ['радеоупровляемый', ['helicopter']],
    ['радеоупровлаемый', []],
    // proves: search/typing-errors
    ['микс', []],
    // A word that exists is never corrected to another.
    ['миксер', ['mixer']],
    ['микшер', ['console']],
    ['mikser', ['mixer']],
    // Phrases, and excluded words.
    // proves: search/phrases
    ['"история трамваев"', ['tram-history']],
    ['«трамваев история»', []],
    ['"сегодня городской"', []],
    // proves: search/minus-words
    ['трамвай -история', ['tram-today']],
    ['трамвай -"история трамваев"', ['tram-today']],
    // Synonyms: both ways, and one way.
    // proves: search/synonyms, output-cabinet/synonym-rows
    ['стиралка', ['washer']],
    // proves: search/synonyms, output-cabinet/synonym-rows
    ['обувь', ['shoes']],
    // proves: search/synonyms
    ['shoes', ['shoes']],
    // proves: search/synonyms
    ['левайс', ['jeans']],
    ['men’s', ['console']],
    ["levi's", ['jeans']],
    ['xyzzy', []],
  ])('%s: %j', (query, ids) => {
    expect(hits(query)).toEqual(ids);
  });

  // proves: output-paths/search
  it('are everything that is not excluded, for a query without words', () => {
    expect(hits('').length).toBe(12);
    expect(hits('-трамвай').length).toBe(10);
  });

  // proves: output-paths/search
  it('do not exist for a query that has only signs', () => {
    for (const query of ['🙂', '?!', '[]', '—']) expect(hits(query)).toEqual([]);
    expect(hits('  ').length).toBe(12);
    expect(hits('-xyzzy').length).toBe(12);
    expect(hits('🙂 трамвай')).toEqual(['tram-history', 'tram-today']);
  });

  // proves: search/minus-words
  it('never contain a word after a minus, however long the query is', () => {
    expect(hits(`${'я '.repeat(60)}-трамвай`)).not.toContain('tram-today');
    expect(hits(`${'-я '.repeat(60)}-трамвай`)).toHaveLength(10);
    expect(hits(`${'я '.repeat(60)}-"трамвай сегодня"`)).not.toContain('tram-today');
  });

  // proves: search/minus-words
  it('contain the other words, however many words are excluded', () => {
    expect(hits(`${'-я '.repeat(60)}трамвай`)).toEqual(hits('трамвай'));
    expect(hits(`${'-"а я" '.repeat(60)}"история трамваев"`)).toEqual(['tram-history']);
  });

  // proves: search/prefix
  it('include items with words that begin with the word being typed', () => {
    expect(hits('трам', { prefix: true })).toEqual(['borscht', 'tram-history', 'tram-today']);
    expect(hits('история трам', { prefix: true })).toEqual(['tram-history']);
    expect(hits('nhfv', { prefix: true })).toEqual(['borscht', 'tram-history', 'tram-today']);
    expect(hits('peterb', { prefix: true })).toEqual(['tram-history']);
    expect(hits('история peterb', { prefix: true })).toEqual(['tram-history']);
    expect(hits('самс', { prefix: true })).toEqual(['washer']);
    expect(hits('samovar', { prefix: true })).toEqual([]);
    expect(hits('peterb')).toEqual([]);
    expect(hits('peterb', { prefix: true, typos: false })).toEqual([]);
    expect(hits('истор')).toEqual(['tram-history']);
    expect(hits('ист')).toEqual([]);
    expect(ask(LIBRARY, "women's", { prefix: true }).marks.prefixes).toEqual(['women']);
  });

  // proves: search/prefix
  it('include items whose Latin words begin with the transliteration of a Cyrillic word being typed', () => {
    const library = libraryOf([
      { id: 'maps', title: 'Yandex Maps' },
      { id: 'film', title: 'Mission' },
    ]);
    const typed = (query: string) => {
      const { found, corrected, marks } = ask(library, query, { prefix: true });
      return [found.map(({ id }) => id), corrected, marks.prefixes];
    };
    expect(typed('янде')).toEqual([['maps'], 'yande', ['yande']]);
    expect(typed('мисс')).toEqual([['film'], 'miss', ['miss']]);
    expect(typed('ми')).toEqual([['film'], 'mi', ['mi']]);
    expect(typed('м')).toEqual([[], null, ['м']]);
  });

  // proves: search/typos
  it('match only the exact words if errors are not to be corrected', () => {
    for (const query of ['nhfvdfq', 'borsch', 'тармвай']) expect(hits(query, { typos: false })).toEqual([]);
  });

  it('rank a word of the title before one of the text', () => {
    expect(idsOf(ask(LIBRARY, 'трам', { prefix: true })).at(-1)).toBe('borscht');
  });
});

describe('a row of synonyms', () => {
  // proves: search/synonyms, output-cabinet/synonym-rows
  it('leads only from its words to its targets, or from each of its words to all others', () => {
    const library = libraryOf(
      ['Обувь', 'Сапоги', 'Кроссовки', 'Машина', 'Автомобиль'].map((title) => ({ id: title, title })),
      { synonyms: [{ words: ['обувь'], to: ['сапоги', 'кроссовки'] }, { words: ['машина', 'автомобиль'] }] },
    );
    const found = (query: string) => idsOf(ask(library, query)).toSorted();
    expect(found('обувь')).toEqual(['Кроссовки', 'Обувь', 'Сапоги']);
    expect([found('сапоги'), found('кроссовки')]).toEqual([['Сапоги'], ['Кроссовки']]);
    for (const query of ['машина', 'автомобиль']) expect(found(query)).toEqual(['Автомобиль', 'Машина']);
  });
});

describe('the corrected query', () => {
  // proves: search/corrected_query
  it.each([
    ['nhfvdfq', 'трамвай'],
    ['история nhfvdfq -"x y"', 'история трамвай -"x y"'],
    ['тармвай', 'трамвай'],
    ['borsch', 'борщ'],
    ['трамвай', null],
    ['xyzzy', null],
  ])('of %s is %s', (query, corrected) => expect(ask(LIBRARY, query).corrected).toBe(corrected));
});

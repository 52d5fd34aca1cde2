/** The palette's results for typed text. */
import { expect, it } from '@jest/globals';
import { isItemFound, matchEntries, SHOWN, type Entry } from '../../cabinet/src/shell/palette/entries.ts';

const entry = (text: string, detail = ''): Entry => ({ id: text, text, detail });
const ENTRIES = [
  entry('Tram museum · Items', 'a1b2c3d4e5f6'),
  entry('Tram museum · Webhooks', 'a1b2c3d4e5f6'),
  entry('Shop · Overview', 'b2c3d4e5f6a1'),
  entry('Your account'),
];
const texts = (query: string): string[] => matchEntries(ENTRIES, query).map(({ text }) => text);

it.each([
  ['', ENTRIES.map(({ text }) => text)],
  ['web', ['Tram museum · Webhooks']],
  ['  TRAM   ite ', ['Tram museum · Items']],
  ['c3d4', ['Tram museum · Items', 'Tram museum · Webhooks', 'Shop · Overview']],
  ['seum', []],
])('the palette finds the right entries by %j', (query, expected) => {
  expect(texts(query)).toEqual(expected);
});

it('the palette lists titles that begin with the text first, and no more than fit the screen', () => {
  const many = Array.from({ length: 50 }, (_, index) => entry(`New shop ${index}`));
  const shown = matchEntries([...many, entry('Shop')], 'shop');
  expect([shown[0]?.text, shown.length]).toEqual(['Shop', SHOWN]);
});

it.each([
  ['lesson-4', true],
  ['esson', false],
  ['LESSON', false],
  ['Moves  tra', true],
  ['tram webh', false],
])('the palette keeps an item that was found before while %j is searched for: %s', (text, isKept) => {
  expect(isItemFound({ id: 'lesson-42', title: 'How a tram moves' }, text)).toBe(isKept);
});

it('the palette keeps an item without a title by its id only', () => {
  expect([isItemFound({ id: 'a', title: null }, 'a'), isItemFound({ id: 'a', title: null }, 'b')]).toEqual([
    true,
    false,
  ]);
});

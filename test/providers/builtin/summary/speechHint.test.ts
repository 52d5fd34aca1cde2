import { expect, it } from '@jest/globals';
import { speechHint } from '../../../../providers/builtin/summary/speechHint.ts';

const hintOf = (title: string | null, description: string | null = null, body: string | null = null) =>
  speechHint({ title, description, body });

it.each([
  ['the title', hintOf('Трамвай вернулся в депо'), 'Трамвай вернулся в депо'],
  [
    'the names in the texts, once each',
    hintOf('О музее', 'Сегодня там Анна Бергер, а завтра снова Анна Бергер из ООО «Логистик Плюс».'),
    'О музее, Анна Бергер, ООО «Логистик Плюс»',
  ],
  ['no name that is in the title', hintOf('Анна Бергер о музее', 'Это Анна Бергер.'), 'Анна Бергер о музее'],
  ['names in HTML', hintOf(null, null, '<p>With <b>Anna&nbsp;Berger</b></p>'), 'Anna Berger'],
  ['no contact data', hintOf('Звоните +7 912 345-67-89, anna@example.com'), 'Звоните ,'],
  [
    'no user name of an address that is cut where reading ends',
    hintOf(null, null, `${'и '.repeat(1_000).slice(0, 1_975)} Acme Ivan.Petrov@example.com`),
    null,
  ],
  ['nothing without words', hintOf(null, ''), null],
])('a hint has %s', (_name, hint, expected) => {
  expect(hint).toBe(expected);
});

it('a hint has at most 200 characters, and whole names', () => {
  const named = Array.from({ length: 30 }, (_, n) => `Анна Берг${'а'.repeat(n)}`);
  const hint = hintOf('О музее', named.join('. ')) ?? '';
  expect(hint.length).toBeLessThanOrEqual(200);
  expect(hint.split(', ').slice(1)).toEqual(named.slice(0, hint.split(', ').length - 1));
  expect(hintOf('😀'.repeat(150))).toBe('😀'.repeat(100));
});

/** Typing mistakes in queries. */
import type { Random } from '../../load/random.ts';

/** Letters of the Russian keyboard layout, row by row; the other layout has its letters in the same order. */
const RUSSIAN = 'йцукенгшщзхъфывапролджэячсмитьбю';
const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const LONG = 6;

export function mistaken(random: Random, query: string): string {
  if (random.percent(10)) return misspelled(random, query);
  if (random.percent(5)) return otherLayout(query);
  return query;
}

/** Swaps two letters of the longest word. */
function misspelled(random: Random, query: string): string {
  const longest = query.split(' ').toSorted((a, b) => b.length - a.length)[0] ?? '';
  if (longest.length < LONG) return query;
  const at = 1 + random.below(longest.length - 2);
  return query.replace(longest, `${longest.slice(0, at)}${longest[at + 1]}${longest[at]}${longest.slice(at + 2)}`);
}

/** Returns a Russian query as typed without switching the layout. */
const otherLayout = (query: string): string =>
  [...query.toLowerCase()].map((letter) => LATIN[RUSSIAN.indexOf(letter)] ?? letter).join('');

/** What goes wrong while a query is typed. */
import type { Random } from '../../chaos/load/random.ts';

/** Of a keyboard, row by row, the letters of the other layout. */
const RUSSIAN = 'йцукенгшщзхъфывапролджэячсмитьбю';
const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const LONG = 6;

export function mistaken(random: Random, query: string): string {
  if (random.percent(10)) return misspelled(random, query);
  if (random.percent(5)) return otherLayout(query);
  return query;
}

/** Two letters of the longest word change places. */
function misspelled(random: Random, query: string): string {
  const longest = query.split(' ').toSorted((a, b) => b.length - a.length)[0] ?? '';
  if (longest.length < LONG) return query;
  const at = 1 + random.below(longest.length - 2);
  return query.replace(longest, `${longest.slice(0, at)}${longest[at + 1]}${longest[at]}${longest.slice(at + 2)}`);
}

/** Russian as it comes when nobody has switched. */
const otherLayout = (query: string): string =>
  [...query.toLowerCase()].map((letter) => LATIN[RUSSIAN.indexOf(letter)] ?? letter).join('');

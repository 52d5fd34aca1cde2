/** Decides whether two wordings mean the same, from only the dictionary's file and the published stemmers. */
import { readFileSync } from 'node:fs';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as russian } from '@orama/stemmers/russian';

interface Topic {
  id: string;
  ru: string;
  en: string;
  synonyms?: string[];
}

const FILE = new URL('../../../domain/dictionaries/lists/interests.v1.json', import.meta.url);
const { topics } = JSON.parse(readFileSync(FILE, 'utf8')) as { topics: Topic[] };

const stemsByText = new Map<string, string[]>();

/** Returns the stems of a text's words, in no particular order. */
export function stems(text: string): string[] {
  const before = stemsByText.get(text);
  if (before) return before;
  const words =
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = [...new Set(words.map(stemOf))].toSorted();
  stemsByText.set(text, found);
  return found;
}

/** Short words have no endings worth cutting. */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  return /[а-я]/.test(word) ? russian(word) : english(word);
}

const isSameWording = (a: string, b: string): boolean => stems(a).join(' ') === stems(b).join(' ');

const topicsOf = (text: string): string[] =>
  topics
    .filter(
      ({ id, ru, en, synonyms = [] }) => text === id || [ru, en, ...synonyms].some((name) => isSameWording(name, text)),
    )
    .map(({ id }) => id);

const known = new Map<string, 'dictionary' | 'stem' | null>();

/** Returns the reason why two texts are the same, or null when they are not. */
export function sameness(a: string, b: string): 'dictionary' | 'stem' | null {
  const pair = `${a}\0${b}`;
  const before = known.get(pair);
  if (before !== undefined) return before;
  const same = compare(a, b);
  known.set(pair, same);
  return same;
}

function compare(a: string, b: string): 'dictionary' | 'stem' | null {
  if (isSameWording(a, b)) return 'stem';
  const others = topicsOf(b);
  return topicsOf(a).some((id) => others.includes(id)) ? 'dictionary' : null;
}

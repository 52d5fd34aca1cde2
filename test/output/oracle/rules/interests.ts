/** Decides whether a label is about what a person names, from only the dictionary's file and the published stemmers. */
import { readFileSync } from 'node:fs';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as russian } from '@orama/stemmers/russian';

interface Topic {
  id: string;
  ru: string;
  en: string;
  parent?: string;
  synonyms?: string[];
}

const FILE = new URL('../../../../domain/dictionaries/lists/interests.v1.json', import.meta.url);
const { topics } = JSON.parse(readFileSync(FILE, 'utf8')) as { topics: Topic[] };

const stemsByText = new Map<string, string[]>();

/** Returns the different stems of a text's words, sorted, so that the order of the words does not matter. */
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

/** Returns the stems of all words of a text as they follow each other. */
export function stemsInOrder(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stemOf);
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

export type Match = 'dictionary' | 'stem' | 'wider topic';

const known = new Map<string, Match | null>();

/** Returns the reason why an item with a label is about what a person names, or null when it is not. */
export function matchOf(named: string, label: string): Match | null {
  const pair = `${named}\0${label}`;
  const before = known.get(pair);
  if (before !== undefined) return before;
  const match = compare(named, label);
  known.set(pair, match);
  return match;
}

function compare(named: string, label: string): Match | null {
  if (isSameWording(named, label)) return 'stem';
  const wanted = topicsOf(named);
  const own = topicsOf(label);
  if (wanted.some((id) => own.includes(id))) return 'dictionary';
  return topics.some(({ id, parent = '' }) => own.includes(id) && wanted.includes(parent)) ? 'wider topic' : null;
}

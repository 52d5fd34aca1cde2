/** Real words of both languages, from the dictionaries that the product ships. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { randomOf, shuffled, zipf } from './chance.ts';
import type { Random } from '../../../load/random.ts';

export const LANGUAGES = ['ru', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Number of words per language in the texts. */
const VOCABULARY = 30_000;
/** Number of words that belong to one topic, besides the common ones. */
const OF_TOPIC = 400;
const OWN_SHARE = 40;

const FORM: Readonly<Record<Language, RegExp>> = { ru: /^[а-яё]{4,12}$/, en: /^[a-z]{4,12}$/ };
const { resolve } = createRequire(import.meta.url);

function read(language: Language): string[] {
  const file = join(dirname(resolve(`dictionary-${language}`)), 'index.dic');
  const words = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.split('/')[0] ?? '')
    .filter((word) => FORM[language].test(word));
  return shuffled(randomOf(`words ${language}`), words).slice(0, VOCABULARY);
}

const vocabularies = new Map<Language, readonly string[]>();

function vocabularyOf(language: Language): readonly string[] {
  const known = vocabularies.get(language) ?? read(language);
  vocabularies.set(language, known);
  return known;
}

/** Returns a word of a text on a topic: few words are frequent, and some occur only in texts on that topic. */
export function wordOf(random: Random, language: Language, topic: number): string {
  const words = vocabularyOf(language);
  const place = random.percent(OWN_SHARE) ? topic * OF_TOPIC + zipf(random, OF_TOPIC) : zipf(random, words.length);
  return words[place % words.length] ?? '';
}

export function sentence(random: Random, language: Language, topic: number, length: number): string {
  const words = Array.from({ length }, () => wordOf(random, language, topic)).join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

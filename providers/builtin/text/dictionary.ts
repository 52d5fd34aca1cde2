/**
 * Dictionary forms from the Hunspell dictionaries of Russian and English (packages dictionary-ru, dictionary-en): a
 * base word with flags, and for each flag its possible endings. Loaded with the first word.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { foldWord, scriptOf } from './words.ts';

export interface DictionaryForm {
  /** The base as in the dictionary: a noun's nominative, an adjective's masculine, a verb's infinitive. */
  base: string;
  kind: 'noun' | 'adjective' | 'verb';
}

interface Ending {
  flag: string;
  /** The end of the base that the ending replaces. */
  strip: string;
  /** A pattern that the base has to match. */
  condition: RegExp;
}

interface Entry {
  base: string;
  flags: string;
}

const MAX_ENDING_LENGTH = 8;
const KINDS = ['noun', 'adjective', 'verb'] as const;
const INFINITIVE = /(?:ть|ться|ти|тись|чь|чься)$/;
const { resolve } = createRequire(import.meta.url);

/** Flags of the Russian dictionary: L, M and B are conjugations, A is the declension of adjectives, Z makes adverbs. */
function russianKind({ base, flags }: Entry): DictionaryForm['kind'] {
  if (/[LMB]/.test(flags) && INFINITIVE.test(base)) return 'verb';
  return flags.includes('A') || /^[AESZ]+$/.test(flags) ? 'adjective' : 'noun';
}

/** Flags of the English dictionary: D, G and N make verbs' forms, Y adverbs; a base may be anything. */
function englishKind(_entry: Entry, flag: string | null): DictionaryForm['kind'] {
  if (flag === null || flag === 'S' || flag === 'M') return 'noun';
  return flag === 'D' || flag === 'G' ? 'verb' : 'adjective';
}

class Dictionary {
  readonly #entries = new Map<string, Entry>();
  readonly #endings = new Map<string, Ending[]>();
  readonly #kindOf: (entry: Entry, flag: string | null) => DictionaryForm['kind'];

  constructor(name: string, kindOf: (entry: Entry, flag: string | null) => DictionaryForm['kind']) {
    this.#kindOf = kindOf;
    const read = (extension: string) =>
      readFileSync(join(dirname(resolve(name)), `index.${extension}`), 'utf8').split(/\r?\n/);
    for (const line of read('aff')) this.#addEnding(line);
    for (const line of read('dic').slice(1)) this.#addEntry(line);
  }

  has(folded: string): boolean {
    return this.formOf(folded) !== null;
  }

  /** Returns the most likely base: a noun before an adjective before a verb, and the word itself before its origin. */
  formOf(folded: string): DictionaryForm | null {
    const found = [...this.#candidates(folded)];
    for (const kind of KINDS) {
      const form = found.find((candidate) => candidate.kind === kind);
      if (form) return form;
    }
    return null;
  }

  *#candidates(folded: string): Generator<DictionaryForm> {
    const own = this.#entries.get(folded);
    // Irregular forms are separate entries without flags, such as «колёс»: the base that they derive from takes
    // precedence.
    if (own && own.flags !== '') yield { base: own.base, kind: this.#kindOf(own, null) };
    for (let length = 0; length <= Math.min(MAX_ENDING_LENGTH, folded.length - 1); length += 1) {
      const stem = folded.slice(0, folded.length - length);
      for (const { flag, strip, condition } of this.#endings.get(folded.slice(folded.length - length)) ?? []) {
        const entry = this.#entries.get(stem + strip);
        if (entry?.flags.includes(flag) && condition.test(stem + strip))
          yield { base: entry.base, kind: this.#kindOf(entry, flag) };
      }
    }
    if (own?.flags === '') yield { base: own.base, kind: this.#kindOf(own, null) };
  }

  /** Parses `SFX K й ю [аеоу]й`: flag, removed end, added end, condition on the base. */
  #addEnding(line: string): void {
    const [kind, flag = '', strip = '', added = '', condition] = line.trim().split(/\s+/);
    if (kind !== 'SFX' || condition === undefined || /^\d+$/.test(added)) return;
    const ending = foldWord(added.split('/')[0] ?? '').replace(/^0$/, '');
    const rules = this.#endings.get(ending) ?? [];
    rules.push({ flag, strip: foldWord(strip).replace(/^0$/, ''), condition: conditionOf(condition) });
    this.#endings.set(ending, rules);
  }

  #addEntry(line: string): void {
    const [base = '', flags = ''] = (line.split(/\s/)[0] ?? '').split('/');
    const folded = foldWord(base);
    const known = this.#entries.get(folded);
    if (folded !== '') this.#entries.set(folded, { base: known?.base ?? base, flags: flags + (known?.flags ?? '') });
  }
}

const conditions = new Map<string, RegExp>();

/** Cached: thousands of endings share few conditions. */
function conditionOf(text: string): RegExp {
  const made = conditions.get(text) ?? new RegExp(`${foldWord(text)}$`);
  conditions.set(text, made);
  return made;
}

let russian: Dictionary | undefined;
let english: Dictionary | undefined;

function dictionaryOf(folded: string): Dictionary | null {
  const script = scriptOf(folded);
  if (script === 'cyrillic') return (russian ??= new Dictionary('dictionary-ru', russianKind));
  return script === 'latin' ? (english ??= new Dictionary('dictionary-en', englishKind)) : null;
}

/** Returns the dictionary form of a folded word (see `foldWord`), or null if no dictionary has it. */
export function dictionaryForm(folded: string): DictionaryForm | null {
  return dictionaryOf(folded)?.formOf(folded) ?? null;
}

/** Returns whether a dictionary has the folded word. */
export function isKnownWord(folded: string): boolean {
  return dictionaryOf(folded)?.has(folded) ?? false;
}

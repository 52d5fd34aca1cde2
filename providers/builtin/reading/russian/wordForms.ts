/**
 * All forms of Russian words, from OpenCorpora's dictionary in the package `pymorphy3-dicts-ru`: the lexemes of a form,
 * and the forms of a lexeme. Unknown words are guessed by their endings.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUSSIAN_WORD_FILES } from '../common/readerFiles.ts';
import { Dawg } from './dawg.ts';

/** One interpretation of a form: a lexeme that has it, at one place of the paradigm. */
export interface WordForm {
  /** The text, with its ё. */
  text: string;
  /** Grammemes of OpenCorpora: NOUN, inan, masc, sing, gent, … */
  tag: ReadonlySet<string>;
  /** The lexeme's first form. */
  normal: string;
  /**
   * Returns the form of the lexeme whose tag has all of `grammemes` and none of `without`; among several, such as
   * «высший» and «высочайший», the one most like this form. Null if there is none.
   */
  inflected(grammemes: readonly string[], without?: readonly string[]): string | null;
  /** Whether the word is not in the dictionary, but guessed by its ending. */
  isGuess: boolean;
}

export interface WordForms {
  /** @param word in lower case; е may stand for ё */
  formsOf(word: string): readonly WordForm[];
}

/** Length of the longest ending used for guesses. */
const MAX_END_LENGTH = 5;
/** Minimum number of letters for a guess. */
const MIN_GUESSED_LENGTH = 4;
/** Longer tokens are not words, and would fill the cache. */
const MAX_WORD_LENGTH = 64;
const MAX_CACHED = 20_000;
/** Word classes that new words are added to. */
const OPEN_CLASSES = ['NOUN', 'ADJF', 'ADJS', 'VERB', 'INFN', 'PRTF', 'PRTS', 'GRND', 'ADVB'];

/**
 * Reads the dictionary, which takes 20 MB.
 * @param folder with the package's files
 * @throws Error if one is missing
 */
export function loadWordForms(folder: string): WordForms {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const formAt = createFormAt(readTables(read));
  const words = new Dawg(read(RUSSIAN_WORD_FILES.words));
  const ends = new Dawg(read(RUSSIAN_WORD_FILES.ends));
  const cache = new Map<string, readonly WordForm[]>();
  return {
    formsOf(word) {
      if (word.length > MAX_WORD_LENGTH) return [];
      const known = cache.get(word);
      if (known !== undefined) return known;
      const found = words
        .find(word)
        .flatMap(({ word: text, records }) =>
          records.map((record) => formAt(text, record.readUInt16BE(0), record.readUInt16BE(2), false)),
        )
        .filter((form) => form !== null);
      const forms = found.length > 0 ? found : guess(word, ends, formAt);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(word, forms);
      return forms;
    },
  };
}

/** How the forms of a lexeme are built: a paradigm has a prefix, a suffix and a tag for each form. */
interface Tables {
  suffixes: readonly string[];
  prefixes: readonly string[];
  tags: readonly ReadonlySet<string>[];
  paradigms: readonly Uint16Array[];
}

function readTables(read: (name: string) => Buffer): Tables {
  const json = (name: string): unknown => JSON.parse(read(name).toString('utf8'));
  return {
    suffixes: json(RUSSIAN_WORD_FILES.suffixes) as string[],
    prefixes: prefixesOf(json(RUSSIAN_WORD_FILES.meta)),
    tags: (json(RUSSIAN_WORD_FILES.tags) as string[]).map((tag) => new Set(tag.split(/[ ,]/))),
    paradigms: readParadigms(read(RUSSIAN_WORD_FILES.paradigms)),
  };
}

/** Returns a text as the form at one place of a paradigm; null if there is no such paradigm. */
type FormAt = (text: string, paradigm: number, at: number, isGuess: boolean) => WordForm | null;

function createFormAt({ suffixes, prefixes, tags, paradigms }: Tables): FormAt {
  return (text, paradigm, at, isGuess) => {
    const table = paradigms[paradigm];
    if (table === undefined) return null;
    const size = table.length / 3;
    const affixes = (place: number) => ({
      suffix: suffixes[table[place] ?? 0] ?? '',
      tag: tags[table[size + place] ?? 0] ?? new Set<string>(),
      prefix: prefixes[table[2 * size + place] ?? 0] ?? '',
    });
    const own = affixes(at);
    const stem = text.slice(own.prefix.length, text.length - own.suffix.length);
    const textAt = (place: number): string => affixes(place).prefix + stem + affixes(place).suffix;
    return {
      text,
      tag: own.tag,
      normal: textAt(0),
      isGuess,
      inflected(grammemes, without = []) {
        let best: string | null = null;
        for (let place = 0; place < size; place += 1) {
          const { tag } = affixes(place);
          if (!grammemes.every((each) => tag.has(each)) || without.some((each) => tag.has(each))) continue;
          const found = textAt(place);
          if (best === null || commonPrefixLength(found, text) > commonPrefixLength(best, text)) best = found;
        }
        return best;
      },
    };
  };
}

/**
 * Guesses the forms of a word by its longest known ending. The records of endings begin with the number of words that
 * have them, in 32 bits.
 */
function guess(word: string, ends: Dawg, formAt: FormAt): WordForm[] {
  if (word.length < MIN_GUESSED_LENGTH) return [];
  for (let length = Math.min(MAX_END_LENGTH, word.length - 2); length > 0; length -= 1) {
    const forms = ends
      .recordsOf(word.slice(word.length - length))
      .toSorted((a, b) => b.readUInt32BE(0) - a.readUInt32BE(0))
      .map((record) => formAt(word, record.readUInt16BE(4), record.readUInt16BE(6), true))
      .filter((form) => form !== null)
      .filter(({ tag }) => OPEN_CLASSES.some((each) => tag.has(each)));
    if (forms.length > 0) return forms;
  }
  return [];
}

/** Returns the length of the common prefix of two words. */
function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Returns prefixes of some forms, such as «наи»; they are among the options of the dictionary's build. */
function prefixesOf(meta: unknown): string[] {
  const options = (meta as [string, unknown][]).find(([key]) => key === 'compile_options')?.[1];
  const prefixes = (options as { paradigm_prefixes?: string[] } | undefined)?.paradigm_prefixes;
  if (prefixes === undefined) throw new RangeError('the dictionary does not list its prefixes');
  return prefixes;
}

/** Reads a count, then for each paradigm its length and as many numbers: suffixes, tags, prefixes of its forms. */
function readParadigms(file: Buffer): Uint16Array[] {
  const paradigms: Uint16Array[] = [];
  let at = 2;
  for (let left = file.readUInt16LE(0); left > 0; left -= 1) {
    const length = file.readUInt16LE(at);
    at += 2;
    paradigms.push(Uint16Array.from({ length }, (_, index) => file.readUInt16LE(at + index * 2)));
    at += length * 2;
  }
  return paradigms;
}

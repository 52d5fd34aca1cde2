/** The words of a project's documents, each with its stem. A term is a stem, and postings are kept by term. */
import { copyOfPart } from '../../../domain/cutText.ts';
import { stem } from '../../../domain/dictionaries/stems.ts';
import { soundKey, toCyrillic } from '../../../domain/search/transliteration.ts';
import { countBits, letterMask, typosBetween } from '../../../domain/search/typos.ts';
import { hashOfWord } from '../text/indexedWords.ts';
import { withRoom } from '../../growableColumns.ts';
import { PrefixIndex } from './prefixIndex.ts';

/** Measured size of a word and its entries in the maps. */
const WORD_BYTES = 150;
const TERM_BYTES = 170;

/**
 * Maximum number of terms kept for a sound: those of the words that came first. No language has as many words that
 * sound alike, but a catalogue may have tens of thousands, all of which each word of a query would stand for.
 */
const MAX_ALIKE = 200;

/** The effort left for the corrections of a query, in pairs of letters that may still be compared. */
export interface CorrectionEffort {
  left: number;
}

/**
 * A word of eight letters is like some 3,000 of 60,000 forms, with 200,000 pairs of letters. Without a limit, a dozen
 * long words took seconds in a catalogue of tens of thousands that are like them.
 */
const MAX_EFFORT = 30_000_000;

export const newEffort = (): CorrectionEffort => ({ left: MAX_EFFORT });

export class Vocabulary {
  /** Words by number, from 0. */
  readonly #words: string[] = [];
  readonly #wordNumbers = new Map<number, number>();
  /** Numbers of terms, from 1: 0 separates the fields of a document. */
  readonly #terms = new Map<string, number>();
  #termCount = 1;
  #termOf = new Uint32Array(0);
  #counts = new Uint32Array(0);
  #masks = new Uint32Array(0);
  /** Numbers of words, by the beginnings of the words. */
  readonly #numbersByPrefix = new PrefixIndex<number>();
  /** Terms by their sound; most sounds have one term. */
  readonly #sounds = new Map<string, number | number[]>();
  readonly #soundPrefixes = new PrefixIndex<string>();
  /** The most frequent word of each term. */
  #surfaceFormOf = new Uint32Array(0);

  /** Upper bound of term numbers, exclusive. */
  get termCount(): number {
    return this.#termCount;
  }

  get bytes(): number {
    return this.#words.length * (WORD_BYTES + 12) + this.#termCount * (TERM_BYTES + 12);
  }

  /**
   * Returns the term of a document's word; adds it if it is new.
   * @param hash hash of the word (text/indexedWords.ts); two words with the same hash would be treated as one, which
   *   happens in about one of two million vocabularies of 100,000 words
   */
  add(text: string, from: number, to: number, hash: number): number {
    const number = this.#wordNumbers.get(hash) ?? this.#addWord(text.slice(from, to), hash);
    const term = this.#termOf[number] as number;
    const count = ((this.#counts[number] as number) + 1) >>> 0;
    this.#counts[number] = count;
    const surfaceForm = this.#surfaceFormOf[term] as number;
    if (surfaceForm !== number && count > (this.#counts[surfaceForm] as number)) this.#surfaceFormOf[term] = number;
    return term;
  }

  /** Returns the term that a word has or would have; undefined when no document has the term. */
  termOf(word: string): number | undefined {
    const number = this.#wordNumbers.get(hashOfWord(word));
    return number === undefined ? this.#terms.get(stem(word)) : this.#termOf[number];
  }

  /** Returns the most frequent word of a term. */
  surfaceForm(term: number): string {
    return this.#words[this.#surfaceFormOf[term] as number] ?? '';
  }

  /** Returns the words that have a stem of two letters or more. */
  formsOf(stemmed: string): string[] {
    const term = this.#terms.get(stemmed);
    // A stem begins like its words.
    const candidates = term === undefined ? [] : this.#numbersByPrefix.candidates(stemmed);
    return candidates.filter((number) => this.#termOf[number] === term).map((number) => this.#words[number] as string);
  }

  /** Returns the distinct terms of words that begin with the prefix, the most frequent words first. */
  termsWithPrefix(prefix: string, limit: number): number[] {
    return this.#termsOf(this.#numbersWithPrefix(prefix), limit);
  }

  /** Returns words that begin with the prefix, the most frequent first. */
  wordsWithPrefix(prefix: string, limit: number): { word: string; term: number }[] {
    return this.#numbersWithPrefix(prefix)
      .toSorted((a, b) => (this.#counts[b] as number) - (this.#counts[a] as number))
      .slice(0, limit)
      .map((number) => ({ word: this.#words[number] as string, term: this.#termOf[number] as number }));
  }

  /** Returns terms that sound like a word, that is, its transliterations. */
  termsThatSoundLike(word: string): number[] {
    const spellings = [word, stem(word)];
    const cyrillicStem = /^[a-z]+$/.test(word) ? [soundOfCyrillicStem(word)] : [];
    const keys = new Set([...spellings.map(soundKey), ...cyrillicStem]);
    return [...keys].flatMap((key) => (key === null ? [] : (this.#sounds.get(key) ?? [])));
  }

  /** Returns terms that sound like words beginning with a word, the most frequent first. */
  termsWithSoundPrefix(word: string): number[] {
    const key = soundKey(word) ?? '';
    if (key === '') return [];
    const sounds = this.#soundPrefixes.candidates(key).filter((sound) => sound.startsWith(key));
    const surfaceForms = sounds
      .flatMap((sound) => this.#sounds.get(sound) ?? [])
      .map((term) => this.#surfaceFormOf[term] as number);
    return this.#termsOf(surfaceForms, surfaceForms.length);
  }

  /**
   * Returns words within `maxTypos` typing errors of another, the nearest first, then the most frequent.
   * @param isPrefix compares with the beginnings of words
   * @param effort is used up by comparisons; without any left, further words are not compared
   */
  wordsNear(
    word: string,
    maxTypos: number,
    isPrefix = false,
    effort: CorrectionEffort = newEffort(),
  ): { term: number; word: string; typos: number }[] {
    const mask = letterMask(word);
    const found: { number: number; typos: number }[] = [];
    for (let number = 0; number < this.#words.length && effort.left > 0; number += 1) {
      const other = this.#masks[number] as number;
      if (countBits(isPrefix ? mask & ~other : mask ^ other) > (isPrefix ? maxTypos : 2 * maxTypos)) continue;
      effort.left -= word.length * (this.#words[number] as string).length;
      const typos = typosBetween(word, this.#words[number] as string, maxTypos, isPrefix);
      if (typos <= maxTypos) found.push({ number, typos });
    }
    return found
      .toSorted((a, b) => a.typos - b.typos || (this.#counts[b.number] ?? 0) - (this.#counts[a.number] ?? 0))
      .map(({ number, typos }) => ({
        term: this.#termOf[number] as number,
        word: this.#words[number] as string,
        typos,
      }));
  }

  #numbersWithPrefix(prefix: string): number[] {
    return this.#numbersByPrefix
      .candidates(prefix)
      .filter((number) => (this.#words[number] as string).startsWith(prefix));
  }

  #addWord(slice: string, hash: number): number {
    const word = copyOfPart(slice);
    const number = this.#words.push(word) - 1;
    this.#wordNumbers.set(hash, number);
    this.#termOf = withRoom(this.#termOf, number + 1);
    this.#counts = withRoom(this.#counts, number + 1);
    this.#masks = withRoom(this.#masks, number + 1);
    this.#masks[number] = letterMask(word);
    const stemmed = stem(word);
    const term = this.#terms.get(stemmed) ?? this.#addTerm(stemmed, number);
    this.#termOf[number] = term;
    this.#numbersByPrefix.add(word, number);
    return number;
  }

  #addTerm(stemmed: string, number: number): number {
    const term = this.#termCount;
    this.#termCount += 1;
    this.#terms.set(stemmed, term);
    this.#surfaceFormOf = withRoom(this.#surfaceFormOf, term + 1);
    this.#surfaceFormOf[term] = number;
    const key = soundKey(stemmed);
    if (key === null) return term;
    const known = this.#sounds.get(key);
    if (Array.isArray(known)) {
      if (known.length < MAX_ALIKE) known.push(term);
    } else this.#sounds.set(key, known === undefined ? term : [known, term]);
    if (known === undefined) this.#soundPrefixes.add(key, key);
    return term;
  }

  #termsOf(numbers: number[], limit: number): number[] {
    numbers.sort((a, b) => (this.#counts[b] as number) - (this.#counts[a] as number));
    const terms = new Set<number>();
    for (const number of numbers) {
      terms.add(this.#termOf[number] as number);
      if (terms.size >= limit) break;
    }
    return [...terms];
  }
}

/**
 * Returns the sound of the stem of a word that is a transliteration: "telefony" is "телефоны", whose stem is "телефон".
 */
function soundOfCyrillicStem(word: string): string | null {
  const cyrillic = toCyrillic(word);
  return cyrillic === null ? null : soundKey(stem(cyrillic));
}

/**
 * Finds phrases in texts, in any form of their words. A text is read once, however many phrases there are and however
 * they repeat themselves (Aho and Corasick, "Efficient string matching", 1975).
 */
import { stem } from '../../../domain/dictionaries/stems.ts';

/** The stems of words that follow each other. */
export type StemPhrase = readonly string[];

/** A beginning of one or more phrases. */
interface Beginning {
  next: Map<string, Beginning>;
  /** The longest other beginning with which this one ends; null for the empty one. */
  shorter: Beginning | null;
  /** This one if it is a phrase, otherwise the longest phrase with which it ends; null without any. */
  phrase: Beginning | null;
}

export class PhraseFinder {
  readonly #root = newBeginning();
  /** Number of distinct phrases. */
  #count = 0;
  /** First code units of the stems. A stem begins like its word, so words with other first units need not be stemmed. */
  readonly #firstUnits: ReadonlySet<number>;

  /** @param phrases those without words are left out */
  constructor(phrases: readonly StemPhrase[]) {
    for (const phrase of phrases) this.#add(phrase);
    this.#link();
    this.#firstUnits = new Set(phrases.flat().map((one) => one.charCodeAt(0)));
  }

  /** Returns true when one of the phrases is among the words. */
  hasAny(words: readonly string[]): boolean {
    for (const _phrase of this.#phrasesIn(words)) return true;
    return false;
  }

  /** Returns true when all of the phrases are among the words. */
  hasAll(words: readonly string[]): boolean {
    const found = new Set<Beginning>();
    for (const phrase of this.#phrasesIn(words)) {
      // Those with which a known one ends are known, too.
      for (let one: Beginning | null = phrase; one && !found.has(one); one = one.shorter?.phrase ?? null)
        found.add(one);
      if (found.size === this.#count) return true;
    }
    return found.size === this.#count;
  }

  /** Yields the longest phrase that ends at each word at which one does. */
  *#phrasesIn(words: readonly string[]): Generator<Beginning> {
    let at = this.#root;
    for (const word of words) {
      at = this.#firstUnits.has(word.charCodeAt(0)) ? this.#after(at, stem(word)) : this.#root;
      if (at.phrase) yield at.phrase;
    }
  }

  /** Returns the longest beginning with which a beginning ends when a stem follows it. */
  #after(beginning: Beginning | null, following: string): Beginning {
    for (let one = beginning; one; one = one.shorter) {
      const next = one.next.get(following);
      if (next) return next;
    }
    return this.#root;
  }

  #add(phrase: StemPhrase): void {
    if (phrase.length === 0) return;
    let at = this.#root;
    for (const one of phrase) {
      const next = at.next.get(one) ?? newBeginning();
      at.next.set(one, next);
      at = next;
    }
    if (at.phrase === null) this.#count += 1;
    at.phrase = at;
  }

  /** Sets what a beginning ends with. The shorter beginnings come first, since the longer ones refer to them. */
  #link(): void {
    const waiting = [this.#root];
    for (const beginning of waiting)
      for (const [last, longer] of beginning.next) {
        longer.shorter = this.#after(beginning.shorter, last);
        longer.phrase ??= longer.shorter.phrase;
        waiting.push(longer);
      }
  }
}

function newBeginning(): Beginning {
  return { next: new Map(), shorter: null, phrase: null };
}

/** The tags, topics or authors of each slot as written, for facets and suggestions. */
import { fold, isPartOfWord } from '../text/indexedWords.ts';
import { NumberLists } from './numberLists.ts';

const LABEL_BYTES = 200;

export class Labels {
  readonly texts: string[] = [];
  /** Labels in folded form. */
  readonly #folded: string[] = [];
  /** Number of slots that have each label. */
  readonly #slots: number[] = [];
  readonly #numbers = new Map<string, number>();
  /** For each slot, indexes into {@link texts}. */
  readonly numbers = new NumberLists();

  get bytes(): number {
    return this.texts.length * LABEL_BYTES + this.numbers.bytes;
  }

  set(slot: number, labels: readonly string[]): void {
    const labelNumbers = [...new Set(labels)].map((label) => this.#numberOf(label));
    for (const number of this.numbers.of(slot)) this.#slots[number] = (this.#slots[number] ?? 0) - 1;
    for (const number of labelNumbers) this.#slots[number] = (this.#slots[number] ?? 0) + 1;
    this.numbers.set(slot, labelNumbers);
  }

  /**
   * Returns labels with a word that begins with the text: first labels that begin with it themselves, then those of the
   * most slots.
   */
  withWordPrefix(text: string, limit: number): string[] {
    const found: { number: number; isFirst: boolean }[] = [];
    for (const [number, folded] of this.#folded.entries()) {
      const at = (this.#slots[number] ?? 0) > 0 ? indexOfWord(folded, text) : -1;
      if (at >= 0) found.push({ number, isFirst: at <= firstWordIndex(folded) });
    }
    return found
      .toSorted(
        (a, b) => Number(b.isFirst) - Number(a.isFirst) || (this.#slots[b.number] ?? 0) - (this.#slots[a.number] ?? 0),
      )
      .slice(0, limit)
      .map(({ number }) => this.texts[number] ?? '');
  }

  #numberOf(label: string): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    const number = this.texts.push(label) - 1;
    this.#folded.push(fold(label));
    this.#slots.push(0);
    this.#numbers.set(label, number);
    return number;
  }
}

/** Returns where the first word begins that begins with the text; -1 when there is none. */
function indexOfWord(folded: string, text: string): number {
  let at = folded.indexOf(text);
  while (at > 0 && isWithinWord(folded, at)) at = folded.indexOf(text, at + 1);
  return at;
}

/** An apostrophe begins no word: `Children's`. */
function isWithinWord(folded: string, at: number): boolean {
  const before = "'’".includes(folded.charAt(at - 1)) ? at - 2 : at - 1;
  return before >= 0 && isPartOfWord(folded.charCodeAt(before));
}

/** Signs may precede the first word: `#music`. A label without letters and digits begins at 0. */
function firstWordIndex(folded: string): number {
  return Math.max(0, folded.search(/[\p{L}\p{M}\p{N}]/u));
}

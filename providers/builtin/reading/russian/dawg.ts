/**
 * A dictionary of words as a graph in which they share beginnings and ends (DAWG), in the double-array format of
 * dawgdic (Yata 2008) that pymorphy's dictionaries use. A word is followed by a byte 1 and its records in base64.
 */

const ROOT = 0;
const HAS_LEAF = 1 << 8;
const EXTENDED = 1 << 9;
const LABEL = 0x800000ff;
const SEPARATOR = 1;

export interface DawgEntry {
  /** The word as in the dictionary, with its ё. */
  word: string;
  records: Buffer[];
}

export class Dawg {
  readonly #units: Uint32Array;
  /** The labels of the first child and the next sibling of each unit. */
  readonly #guide: Buffer;

  constructor(file: Buffer) {
    const count = file.readUInt32LE(0);
    this.#units = new Uint32Array(Uint8Array.from(file.subarray(4, 4 + count * 4)).buffer);
    const guideAt = 4 + count * 4;
    this.#guide = file.subarray(guideAt + 4, guideAt + 4 + file.readUInt32LE(guideAt) * 2);
  }

  /** Finds the words that equal this one, apart from ё in place of е. */
  find(word: string): DawgEntry[] {
    const found: DawgEntry[] = [];
    this.#search([...word], 0, ROOT, '', found);
    return found;
  }

  /** Returns the records of exactly this word. */
  recordsOf(word: string): Buffer[] {
    let index: number | null = ROOT;
    for (const letter of word) {
      index = this.#followLetter(letter, index);
      if (index === null) return [];
    }
    const values = this.#follow(SEPARATOR, index);
    return values === null ? [] : this.#recordsFrom(values);
  }

  #search(letters: readonly string[], at: number, index: number, spelled: string, found: DawgEntry[]): void {
    const letter = letters[at];
    if (letter === undefined) {
      const values = this.#follow(SEPARATOR, index);
      if (values !== null) found.push({ word: spelled, records: this.#recordsFrom(values) });
      return;
    }
    for (const spelling of letter === 'е' ? ['е', 'ё'] : [letter]) {
      const next = this.#followLetter(spelling, index);
      if (next !== null) this.#search(letters, at + 1, next, spelled + spelling, found);
    }
  }

  #followLetter(letter: string, from: number): number | null {
    let index: number | null = from;
    for (const byte of Buffer.from(letter)) {
      index = this.#follow(byte, index);
      if (index === null) return null;
    }
    return index;
  }

  #follow(label: number, index: number): number | null {
    const unit = this.#units[index] ?? 0;
    const offset = ((unit >>> 10) << ((unit & EXTENDED) >>> 6)) >>> 0;
    const next = (index ^ offset ^ label) >>> 0;
    return ((this.#units[next] ?? 0) & LABEL) >>> 0 === label ? next : null;
  }

  #recordsFrom(start: number): Buffer[] {
    const records: Buffer[] = [];
    const walk = (index: number, key: string): void => {
      if (((this.#units[index] ?? 0) & HAS_LEAF) !== 0) records.push(Buffer.from(key, 'base64'));
      let label = this.#guide[index * 2] ?? 0;
      while (label !== 0) {
        const child = this.#follow(label, index);
        if (child === null) return;
        walk(child, key + String.fromCharCode(label));
        label = this.#guide[child * 2 + 1] ?? 0;
      }
    };
    walk(start, '');
    return records;
  }
}

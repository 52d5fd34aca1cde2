/** The titles of slots as written, for suggestions. */

/** Overhead of a title. A string of Cyrillic letters takes two bytes per letter. */
const TITLE_BYTES = 24;

export class Titles {
  readonly #ofSlot: string[] = [];
  #characters = 0;

  get bytes(): number {
    return this.#ofSlot.length * TITLE_BYTES + 2 * this.#characters;
  }

  of(slot: number): string {
    return this.#ofSlot[slot] ?? '';
  }

  set(slot: number, title: string): void {
    while (this.#ofSlot.length <= slot) this.#ofSlot.push('');
    this.#characters += title.length - this.of(slot).length;
    this.#ofSlot[slot] = title;
  }
}

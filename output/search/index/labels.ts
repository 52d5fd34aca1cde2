/** The tags or topics of each slot, as they are written: for facets and suggestions. */

const EMPTY: readonly number[] = [];
const LABEL_BYTES = 120;
const ENTRY_BYTES = 8;

export class Labels {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #ofSlot: (readonly number[] | undefined)[] = [];
  #entries = 0;

  get bytes(): number {
    return this.texts.length * LABEL_BYTES + (this.#entries + this.#ofSlot.length) * ENTRY_BYTES;
  }

  /** Numbers into {@link texts}. */
  of(slot: number): readonly number[] {
    return this.#ofSlot[slot] ?? EMPTY;
  }

  set(slot: number, labels: readonly string[]): void {
    while (this.#ofSlot.length <= slot) this.#ofSlot.push(undefined);
    this.#entries += labels.length - this.of(slot).length;
    this.#ofSlot[slot] = labels.length === 0 ? undefined : [...new Set(labels)].map((label) => this.#numberOf(label));
  }

  #numberOf(label: string): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    const number = this.texts.push(label) - 1;
    this.#numbers.set(label, number);
    return number;
  }
}

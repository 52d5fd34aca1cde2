/**
 * Room that many share, none of whom may fill it. Each party may hold as much as is still free (times its share), so
 * a lone one gets about half and two greedy ones a third each, and there is always room for one who holds nothing:
 * "dynamic queue length thresholds" of Choudhury and Hahne. Nobody who is in has to be thrown out for it.
 */

/** A party whose share of the room is bounded. */
export interface Party {
  name: string;
  /** How much of what is free it may hold: 1 unless said otherwise. */
  share?: number;
}

export class FairRoom {
  readonly #size: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes room on behalf of every one of the parties.
   * @returns what gives it back, once; null when it is too much for one of them
   */
  enter(parties: readonly Party[], amount = 1): (() => void) | null {
    const free = this.#size - this.#taken;
    const fits = ({ name, share = 1 }: Party): boolean => (this.#held.get(name) ?? 0) + amount <= share * free;
    if (!parties.every(fits)) return null;
    this.#add(parties, amount);
    return () => this.#add(parties, -amount);
  }

  #add(parties: readonly Party[], amount: number): void {
    this.#taken += amount;
    for (const { name } of parties) {
      const held = (this.#held.get(name) ?? 0) + amount;
      if (held > 0) this.#held.set(name, held);
      else this.#held.delete(name);
    }
  }
}

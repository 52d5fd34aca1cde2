/**
 * Capacity shared by many parties, none of which may fill it. Each party may hold as much as is still free (times its
 * share), so a lone one gets about half and two greedy ones a third each, and there is always some left for a party
 * that holds nothing: "dynamic queue length thresholds" of Choudhury and Hahne. No current holder ever has to be
 * evicted.
 */

/** A party whose share of the capacity is bounded. */
export interface Party {
  name: string;
  /** The multiple of the free capacity that it may hold; 1 by default. */
  share?: number;
}

export class FairCapacity {
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
   * Takes capacity on behalf of every one of the parties.
   * @returns a function that releases it, once; null when it is too much for one of them
   */
  tryAcquire(parties: readonly Party[], amount = 1): (() => void) | null {
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

/** Columns that rankings look items up by: author, topics and tags, and publication time. */
import type { ItemForRules } from '../../../domain/output/mayShow.ts';
import { withRoom } from '../../growableColumns.ts';

/** Estimated size of an entry in a set of slots. */
const ENTRY_BYTES = 40;

const NOTHING: ReadonlySet<number> = new Set();

export class ItemColumns {
  readonly #ofAuthor = new Map<string, Set<number>>();
  readonly #ofInterest = new Map<string, Set<number>>();
  #published = new Float64Array(0);
  #entries = 0;

  get bytes(): number {
    return this.#published.byteLength + this.#entries * ENTRY_BYTES;
  }

  /** @param before the slot's previous item */
  set(slot: number, item: ItemForRules, before: ItemForRules | undefined): void {
    this.#published = withRoom(this.#published, slot + 1);
    this.#published[slot] = item.publishedAt.getTime();
    if (before && before.author !== item.author && before.author !== null)
      this.#remove(this.#ofAuthor, before.author, slot);
    if (item.author !== null) this.#add(this.#ofAuthor, item.author, slot);
    for (const interest of before?.interests ?? [])
      if (!item.interests.includes(interest)) this.#remove(this.#ofInterest, interest, slot);
    for (const interest of item.interests) this.#add(this.#ofInterest, interest, slot);
  }

  ofAuthor(author: string): ReadonlySet<number> {
    return this.#ofAuthor.get(author) ?? NOTHING;
  }

  /** @param interest an interest key (output/interests.ts) */
  ofInterest(interest: string): ReadonlySet<number> {
    return this.#ofInterest.get(interest) ?? NOTHING;
  }

  /** Milliseconds since 1970. */
  publishedAt(slot: number): number {
    return this.#published[slot] ?? 0;
  }

  #add(lists: Map<string, Set<number>>, key: string, slot: number): void {
    const known = lists.get(key) ?? new Set();
    if (known.has(slot)) return;
    lists.set(key, known.add(slot));
    this.#entries += 1;
  }

  #remove(lists: Map<string, Set<number>>, key: string, slot: number): void {
    const known = lists.get(key);
    if (!known?.delete(slot)) return;
    this.#entries -= 1;
    if (known.size === 0) lists.delete(key);
  }
}

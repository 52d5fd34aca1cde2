/** One project's catalogue in memory: what may be ranked, and by what. */
import type { CatalogueChange } from '../../db/output/catalogue.ts';
import { cosine, isSuppressed, type PlacedItem } from '../../domain/output/vectors.ts';
import { mayShow, type JudgedItem } from '../../domain/output/rules.ts';
import type { ItemPosition } from '../../db/items/list.ts';
import { judgedItem } from '../judged.ts';
import type { RankAnswer, RankedItem, RankQuestion } from './messages.ts';
import { Neighbours, type ScoreSlot } from './neighbours.ts';

interface Slot {
  item: JudgedItem;
  placed: PlacedItem | null;
}

export class Catalogue {
  /** Items keep their place for as long as the process lives; deleted ones stay as what they are. */
  readonly #slots: Slot[] = [];
  readonly #placeOf = new Map<string, number>();
  readonly #neighbours = new Neighbours();
  /** As far as the changes of the project have been followed. */
  position: ItemPosition | null = null;

  get size(): number {
    return this.#slots.length;
  }

  /** Takes changes in, in their order. */
  apply(changes: readonly CatalogueChange[]): void {
    for (const change of changes) this.#put(change);
    this.position = changes.at(-1)?.position ?? this.position;
  }

  #put({ position: _position, placed, ...item }: CatalogueChange): void {
    const place = this.#placeOf.get(item.id) ?? this.#slots.length;
    const slot = { item: judgedItem(item), placed };
    if (!samePlace(this.#slots[place]?.placed ?? null, slot.placed)) this.#neighbours.changed(place);
    this.#slots[place] = slot;
    this.#placeOf.set(item.id, place);
  }

  /** The items nearest to the subjects of a question that its rules allow. */
  rank({ subjects, rules, suppressed, passedOver, limit }: RankQuestion): RankAnswer {
    const away = new Set(passedOver);
    const shunned = suppressed.flatMap((id) => this.#find(id)?.placed ?? []);
    const found = new Map<string, RankedItem>();
    for (const subject of subjects) {
      for (const { slot, score } of this.#nearestTo(subject)) {
        const { item, placed } = this.#slots[slot] ?? {};
        if (!item || !placed || away.has(item.id) || !mayShow(item, rules) || isSuppressed(placed, shunned)) continue;
        if (score > (found.get(item.id)?.score ?? -1)) found.set(item.id, { id: item.id, score, because: subject });
      }
    }
    const ranked = [...found.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    return { ranked, model: this.#find(subjects[0] ?? '')?.placed?.model ?? null };
  }

  #find(id: string): Slot | undefined {
    const place = this.#placeOf.get(id);
    return place === undefined ? undefined : this.#slots[place];
  }

  #nearestTo(subject: string): ReturnType<Neighbours['of']> {
    const place = this.#placeOf.get(subject);
    const own = this.#find(subject)?.placed;
    if (place === undefined || !own) return [];
    const score: ScoreSlot = (slot) => {
      const other = this.#slots[slot]?.placed;
      return other?.model === own.model ? cosine(own.vector, other.vector) : null;
    };
    return this.#neighbours.of(place, this.#slots.length, score);
  }
}

function samePlace(a: PlacedItem | null, b: PlacedItem | null): boolean {
  if (a === null || b === null) return a === b;
  return a.model === b.model && a.vector.every((value, at) => value === b.vector[at]);
}

/** One project's catalogue in memory: what may be ranked, and by what. */
import type { CatalogueChange } from '../../db/output/catalogue.ts';
import { cosine, itemVector, type ItemVector } from '../../domain/output/vectors.ts';
import { isEligible, mayShow, type JudgedItem } from '../../domain/output/rules.ts';
import type { ItemPosition } from '../../db/items/list.ts';
import { judgedItem } from '../judged.ts';
import type { RankAnswer, RankedItem, RankQuestion } from './messages.ts';
import { Neighbours, type ScoreSlot } from './neighbours.ts';

interface Slot {
  item: JudgedItem;
  vector: ItemVector | null;
  model: string | null;
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

  #put({ position: _position, vectors, model, ...item }: CatalogueChange): void {
    const place = this.#placeOf.get(item.id) ?? this.#slots.length;
    const vector = isEligible(item) ? itemVector(vectors.map(asNumbers)) : null;
    const slot = { item: judgedItem(item), vector, model };
    if (!sameVector(this.#slots[place], slot)) this.#neighbours.changed(place);
    this.#slots[place] = slot;
    this.#placeOf.set(item.id, place);
  }

  /** The items nearest to the subjects of a question that its rules allow. */
  rank({ subjects, rules, passedOver, limit }: RankQuestion): RankAnswer {
    const away = new Set(passedOver);
    const found = new Map<string, RankedItem>();
    for (const subject of subjects) {
      for (const { slot, score } of this.#nearestTo(subject)) {
        const { item } = this.#slots[slot] ?? {};
        if (!item || away.has(item.id) || !mayShow(item, rules)) continue;
        if (score > (found.get(item.id)?.score ?? -1)) found.set(item.id, { id: item.id, score, because: subject });
      }
    }
    const ranked = [...found.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    const model = this.#slots[this.#placeOf.get(subjects[0] ?? '') ?? -1]?.model ?? null;
    return { ranked, model };
  }

  #nearestTo(subject: string): ReturnType<Neighbours['of']> {
    const place = this.#placeOf.get(subject);
    const own = place === undefined ? undefined : this.#slots[place];
    if (place === undefined || !own?.vector) return [];
    const { vector, model } = own;
    const score: ScoreSlot = (slot) => {
      const other = this.#slots[slot];
      return other?.vector && other.model === model ? cosine(vector, other.vector) : null;
    };
    return this.#neighbours.of(place, this.#slots.length, score);
  }
}

/** The bytes of a driver's buffer may begin anywhere; numbers have to begin at multiples of four. */
function asNumbers(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

function sameVector(before: Slot | undefined, after: Slot): boolean {
  if (!before?.vector || !after.vector) return (before?.vector ?? null) === after.vector;
  const { vector } = before;
  return before.model === after.model && after.vector.every((value, at) => value === vector[at]);
}

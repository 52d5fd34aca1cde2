/** One project's catalogue in memory: what may be ranked, and by what. */
import type { ItemPosition } from '../../db/items/list.ts';
import type { CatalogueChange } from '../../db/output/catalogue.ts';
import type { BoundFilter } from '../../domain/output/filters.ts';
import type { JudgedItem } from '../../domain/output/mayShow.ts';
import { similarityOf } from '../../domain/output/similarity.ts';
import { judgedItem } from '../judgedItem.ts';
import type { StoredItemModel } from '../models/modelFile.ts';
import { ItemColumns } from './itemColumns.ts';
import type { ComparisonBudget, NeighbourList, NeighbourLists } from './neighbourLists.ts';
import { NamedModels } from './namedModels.ts';
import { Neighbours } from './neighbours.ts';
import { PopularityColumns } from './popularityColumns.ts';
import { Regions } from './regionCounts.ts';
import { placeModel, type SlotModel } from './slotModel.ts';
import { NO_TRIALS, type Trials } from './trials.ts';
import { NOTHING_NEAR, VectorColumns, type NearSlots } from './vectorColumns.ts';

/** An item without texts and properties, its entry among the ids included; measured: 100,000 with two tags and a property take 47 MB. */
const ITEM_BYTES = 350;
/** A member of an object or a list, besides its text. */
const VALUE_BYTES = 40;

/** What is kept of a catalogue for a purpose of its own: the words of its items, for searches. */
export interface Companion {
  /** An estimate. */
  bytes: number;
  /** Gives its memory back. */
  drop(): void;
}

const NOTHING = new Float32Array(0);

export class Catalogue {
  /** Items keep their slot for as long as the catalogue is held; deleted ones stay as what they are. */
  readonly #items: JudgedItem[] = [];
  readonly #slotOf = new Map<string, number>();
  readonly #lists: NeighbourLists;
  readonly #neighbours: Neighbours;
  /** The filterable properties: no others are kept. */
  readonly #kept: ReadonlySet<string>;
  #itemBytes = 0;
  /** Of each slot the last change that was taken in, microseconds since 1970: what was read earlier never replaces it. */
  readonly #stamps: number[] = [];
  /** Grows with every item that is taken in. */
  changes = 0;
  companion: Companion | null = null;
  readonly vectors = new VectorColumns();
  readonly columns = new ItemColumns();
  /** What was learned of the project's people; null before a model was published. */
  model: SlotModel | null = null;
  /** Others that experiments try. */
  readonly named = new NamedModels();
  /** What everybody did with the items; nothing of an item before it was read. */
  readonly popularity = new PopularityColumns();
  /** The same of single regions, as far as they were asked for. */
  readonly regions = new Regions();
  /** How new items have done so far. */
  trials: Trials = NO_TRIALS;
  /** As far as the changes of the project have been followed. */
  position: ItemPosition | null = null;

  constructor(lists: NeighbourLists, filterable: readonly string[]) {
    this.#lists = lists;
    this.#neighbours = new Neighbours(lists);
    this.#kept = new Set(filterable);
  }

  get size(): number {
    return this.#items.length;
  }

  /** An estimate. */
  get bytes(): number {
    const { columns, vectors, popularity, regions, named } = this;
    const parts = [
      columns,
      vectors,
      popularity,
      regions,
      named,
      ...(this.model ? [this.model] : []),
      ...(this.companion ? [this.companion] : []),
    ];
    return parts.reduce((sum, { bytes }) => sum + bytes, this.#itemBytes);
  }

  /** The model's rows by the slots of the catalogue: what is to become {@link model}. Items that come later have none. */
  place(model: StoredItemModel): Promise<SlotModel> {
    return placeModel(model, (id) => this.#slotOf.get(id));
  }

  /** False when a property has become filterable since the catalogue was read. */
  canFilterBy(filters: readonly Pick<BoundFilter, 'property'>[]): boolean {
    return filters.every(({ property }) => this.#kept.has(property));
  }

  /** Takes changes in, in their order. */
  apply(changes: readonly CatalogueChange[]): void {
    this.takeAhead(changes);
    this.position = changes.at(-1)?.position ?? this.position;
  }

  /** Takes changes in whose turn has not come: others that are older may still be committed, so the position stays. */
  takeAhead(changes: readonly CatalogueChange[]): void {
    for (const change of changes) this.#put(change);
  }

  /** Whether a change of an item, by its moment in microseconds since 1970, was taken in. */
  hasTaken(id: string, micros: number): boolean {
    const slot = this.#slotOf.get(id);
    return slot !== undefined && (this.#stamps[slot] ?? 0) >= micros;
  }

  #put({ position, placed, ...change }: CatalogueChange): void {
    const slot = this.#slotOf.get(change.id) ?? this.#items.length;
    const micros = Number(position.micros);
    if ((this.#stamps[slot] ?? 0) > micros) return;
    this.#stamps[slot] = micros;
    this.changes += 1;
    const known = this.#items[slot];
    const item = judgedItem({ ...change, properties: this.#keptOf(change.properties) });
    this.#itemBytes += bytesOf(item) - (known ? bytesOf(known) : 0);
    this.#items[slot] = item;
    this.columns.set(slot, item, known);
    this.#slotOf.set(item.id, slot);
    if (this.vectors.set(slot, placed)) this.#neighbours.changed(slot);
  }

  #keptOf(properties: Record<string, unknown> | null): Record<string, unknown> | null {
    if (properties === null || this.#kept.size === 0) return null;
    const kept = Object.entries(properties).filter(([name]) => this.#kept.has(name));
    return kept.length === 0 ? null : Object.fromEntries(kept);
  }

  slotOf(id: string): number | undefined {
    return this.#slotOf.get(id);
  }

  itemAt(slot: number): JudgedItem | undefined {
    return this.#items[slot];
  }

  neighboursOf(slot: number): NeighbourList {
    const { least } = similarityOf(this.vectors.modelOf(slot) ?? '');
    const score = this.vectors.scorer(slot);
    return this.#neighbours.of(slot, { near: (from) => this.#nearTo(slot, from), score, least });
  }

  #nearTo(slot: number, least: number): NearSlots {
    const subject = this.vectors.at(slot);
    return subject === null ? NOTHING_NEAR : this.vectors.near(subject, this.size, least);
  }

  /** The cosines of a slot with all, itself included, as VectorColumns has them; empty for one without a vector. */
  compareAll(slot: number): Float32Array {
    const subject = this.vectors.at(slot);
    return subject === null ? NOTHING : this.vectors.compareAll(subject, this.size);
  }

  /** What one request may spend on {@link neighboursWithin}. */
  newBudget(): ComparisonBudget {
    return this.#lists.newBudget();
  }

  /** Null when they would have to be looked for, and the budget does not allow it; or when the item has no vector. */
  neighboursWithin(slot: number, budget: ComparisonBudget): NeighbourList | null {
    if (this.vectors.modelOf(slot) === null) return null;
    const isAllowed = this.#neighbours.isKept(slot) || this.#lists.spend(budget, this.vectors.nearCost(this.size));
    return isAllowed ? this.neighboursOf(slot) : null;
  }

  /** Gives back what is kept beside it. */
  drop(): void {
    this.companion?.drop();
    this.#neighbours.drop();
  }
}

function bytesOf({ id, author, interests, properties }: JudgedItem): number {
  const texts = [
    ...interests,
    ...Object.entries(properties ?? {}).map(([name, value]) => name + JSON.stringify(value)),
  ];
  return texts.reduce(
    (sum, text) => sum + VALUE_BYTES + 2 * text.length,
    ITEM_BYTES + id.length + (author?.length ?? 0),
  );
}

/** One project's catalogue in memory: the items that may be ranked, and the data they are ranked by. */
import type { ItemPosition } from '../../../db/items/list.ts';
import type { CatalogueChange } from '../../../db/output/catalogueChanges.ts';
import type { BoundFilter } from '../../../domain/output/propertyFilters.ts';
import type { ItemForRules } from '../../../domain/output/mayShow.ts';
import { similarityOf } from '../../../domain/output/similarity/similarity.ts';
import { itemForRules } from '../../itemForRules.ts';
import type { StoredItemModel } from '../../models/modelFile.ts';
import { ItemColumns } from './itemColumns.ts';
import type { ComparisonBudget, NeighbourList, NeighbourLists } from '../vectors/neighbourLists.ts';
import { NamedModels } from '../models/namedModels.ts';
import { Neighbours, type SimilaritySource } from '../vectors/cachedNeighbours.ts';
import { PopularityColumns } from './popularityColumns.ts';
import { SharedScores, type Priors } from './sharedScores.ts';
import { Regions } from './regionCounts.ts';
import { mapModelToSlots, type SlotModel, type SlotPairs } from '../models/slotModel.ts';
import { NO_TRIALS, type Trials } from './trials.ts';
import { PictureColumns } from '../vectors/pictureColumns.ts';
import { NOTHING_NEAR, VectorColumns } from '../vectors/vectorColumns.ts';

/**
 * Size of an item without texts and properties, including its entry in the map of ids. Measured: 100,000 items with two
 * tags and a property take 47 MB.
 */
const ITEM_BYTES = 350;
/** Overhead of a member of an object or a list, besides its text. */
const VALUE_BYTES = 40;

/** Data that is kept beside a catalogue for one purpose: the words of its items, for searches. */
export interface Sidecar {
  /** An estimate. */
  bytes: number;
  /** Frees its memory. */
  drop(): void;
}

export class Catalogue {
  /** Items keep their slots as long as the catalogue is held; deleted items remain, marked as deleted. */
  readonly #items: ItemForRules[] = [];
  readonly #slotOf = new Map<string, number>();
  readonly #lists: NeighbourLists;
  readonly #neighbours: Neighbours;
  /** The filterable properties that are known for all items. */
  #filterable: ReadonlySet<string>;
  /** The properties that are kept when an item changes: the filterable ones, and those that are being read. */
  #kept: ReadonlySet<string>;
  #itemBytes = 0;
  readonly #sharedScores = new SharedScores(this);
  /**
   * For each slot, the time of the last change that was applied, in microseconds since 1970; an older read never
   * replaces it.
   */
  readonly #stamps: number[] = [];
  /** Number of applied changes, without those older than the last change of their slot. */
  changesApplied = 0;
  sidecar: Sidecar | null = null;
  readonly vectors = new VectorColumns();
  readonly pictures = new PictureColumns();
  readonly columns = new ItemColumns();
  /** The model of the project's people; null until one is published. */
  model: SlotModel | null = null;
  /** Items that are ordered together; used while no model is published. */
  pairs: SlotPairs | null = null;
  /** Other models, which experiments try. */
  readonly named = new NamedModels();
  /** Popularity of the items among everybody; nothing is counted for an item before it is read. */
  readonly popularity = new PopularityColumns();
  /** The same for single regions, loaded on demand. */
  readonly regions = new Regions();
  /** How new items have performed so far. */
  trials: Trials = NO_TRIALS;
  /** Position up to which the changes of the project have been followed. */
  position: ItemPosition | null = null;

  constructor(lists: NeighbourLists, filterable: readonly string[]) {
    this.#lists = lists;
    this.#neighbours = new Neighbours(lists);
    this.#filterable = new Set(filterable);
    this.#kept = this.#filterable;
  }

  get size(): number {
    return this.#items.length;
  }

  /** An estimate. */
  get bytes(): number {
    const { columns, vectors, pictures, popularity, regions, named } = this;
    const parts = [
      columns,
      vectors,
      pictures,
      popularity,
      regions,
      named,
      this.#sharedScores,
      ...(this.model ? [this.model] : []),
      ...(this.pairs ? [this.pairs] : []),
      ...(this.sidecar ? [this.sidecar] : []),
    ];
    return parts.reduce((sum, { bytes }) => sum + bytes, this.#itemBytes);
  }

  /** Scores that are the same for everybody; those of a large catalogue are up to two minutes old. */
  get priors(): Priors {
    return this.#sharedScores.priors;
  }

  /** Maps the rows of a model to slots, for {@link model} or {@link pairs}. Items that are added later have no row. */
  mapToSlots(model: StoredItemModel): Promise<SlotModel> {
    return mapModelToSlots(model, (id) => this.#slotOf.get(id));
  }

  /** Returns false when a property has become filterable and is not known for all items yet. */
  canFilterBy(filters: readonly Pick<BoundFilter, 'property'>[]): boolean {
    return filters.every(({ property }) => this.#filterable.has(property));
  }

  /** Keeps further properties of every change from now on; {@link backfill} adds those of known items. */
  keepAlso(filterable: readonly string[]): void {
    this.#kept = new Set([...this.#kept, ...filterable]);
  }

  /**
   * Takes the properties of known items, as they were read after {@link keepAlso}; an item that has changed since has
   * brought its own.
   */
  backfill(items: readonly ItemForRules[], properties: ReadonlyMap<string, Record<string, unknown> | null>): void {
    for (const item of items) {
      const slot = this.#slotOf.get(item.id);
      if (slot === undefined || this.#items[slot] !== item) continue;
      const filled = { ...item, properties: this.#keptOf(properties.get(item.id) ?? null) };
      this.#itemBytes += bytesOf(filled) - bytesOf(item);
      this.#items[slot] = filled;
    }
  }

  /** All items have the properties of {@link keepAlso} now. */
  allFilledIn(): void {
    this.#filterable = this.#kept;
  }

  /** Applies changes in order. */
  apply(changes: readonly CatalogueChange[]): void {
    this.applyAhead(changes);
    this.position = changes.at(-1)?.position ?? this.position;
  }

  /** Applies changes ahead of their turn: older ones may still be committed, so the position stays. */
  applyAhead(changes: readonly CatalogueChange[]): void {
    for (const change of changes) this.#put(change);
  }

  /** Returns true when a change of an item, given by its time in microseconds since 1970, was applied. */
  hasApplied(id: string, micros: number): boolean {
    const slot = this.#slotOf.get(id);
    return slot !== undefined && (this.#stamps[slot] ?? 0) >= micros;
  }

  #put({ position, placed, pictures = [], ...change }: CatalogueChange): void {
    const slot = this.#slotOf.get(change.id) ?? this.#items.length;
    const micros = Number(position.micros);
    if ((this.#stamps[slot] ?? 0) > micros) return;
    this.#stamps[slot] = micros;
    this.changesApplied += 1;
    const known = this.#items[slot];
    const item = itemForRules({ ...change, properties: this.#keptOf(change.properties) });
    this.#itemBytes += bytesOf(item) - (known ? bytesOf(known) : 0);
    this.#items[slot] = item;
    this.columns.set(slot, item, known);
    this.#slotOf.set(item.id, slot);
    this.pictures.set(slot, pictures);
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

  itemAt(slot: number): ItemForRules | undefined {
    return this.#items[slot];
  }

  /** Returns true when {@link neighboursOf} has nothing to compute. */
  hasNeighboursOf(slot: number): boolean {
    return this.#neighbours.isCurrent(slot);
  }

  neighboursOf(slot: number): NeighbourList {
    const scoring = this.#scoringOf(slot);
    return this.#neighbours.find(slot, scoring) ?? this.#neighbours.make(slot, scoring).list;
  }

  #scoringOf(slot: number): SimilaritySource {
    const subject = this.vectors.at(slot);
    return {
      near: (minCosine, wanted) =>
        subject === null ? NOTHING_NEAR : this.vectors.near(subject, { slots: this.size, minCosine, wanted }),
      score: this.vectors.scorer(slot),
      minCosine: leastFor(this.vectors.modelOf(slot)),
    };
  }

  /** Returns all slots near to a slot, at any cost, in ascending order and without the slot itself. */
  allNearTo(slot: number): { slots: Uint32Array; scores: Float32Array } {
    const subject = this.vectors.at(slot);
    if (subject === null) return { slots: NOTHING_NEAR.slots, scores: NOTHING_NEAR.cosines };
    const { slots, cosines } = this.vectors.allNear(subject, this.size, leastFor(subject.model));
    const own = slots.indexOf(slot);
    return { slots: slots.filter((_, at) => at !== own), scores: cosines.filter((_, at) => at !== own) };
  }

  /** Returns the budget of one request for {@link neighboursWithin}. */
  newBudget(): ComparisonBudget {
    return this.#lists.newBudget();
  }

  /**
   * Returns null when the neighbours would have to be computed and the budget does not allow it, or when the item has
   * no vector.
   */
  neighboursWithin(slot: number, budget: ComparisonBudget): NeighbourList | null {
    if (this.vectors.modelOf(slot) === null) return null;
    const scoring = this.#scoringOf(slot);
    const known = this.#neighbours.find(slot, scoring);
    if (known !== null) return known;
    if (!this.#lists.allows(budget, this.vectors.nearCost(this.size))) return null;
    const { list, cost } = this.#neighbours.make(slot, scoring);
    this.#lists.charge(budget, cost);
    return list;
  }

  /** Frees the data that is kept beside the catalogue. */
  drop(): void {
    this.sidecar?.drop();
    this.#neighbours.drop();
  }
}

/** Returns the cosine from which slots of a model count as near. */
function leastFor(model: string | null): number {
  return similarityOf(model ?? '').similar;
}

function bytesOf({ id, author, interests, properties }: ItemForRules): number {
  const texts = [
    ...interests,
    ...Object.entries(properties ?? {}).map(([name, value]) => name + JSON.stringify(value)),
  ];
  return texts.reduce(
    (sum, text) => sum + VALUE_BYTES + 2 * text.length,
    ITEM_BYTES + id.length + (author?.length ?? 0),
  );
}

/** Holds the catalogues of a selection process. Each is loaded on first use, and followed while it is used. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readCatalogueChanges, type CatalogueChange } from '../../../db/output/catalogueChanges.ts';
import { readItemsHorizon, type Horizon } from '../../../db/items/list.ts';
import type { Logger } from '../../../platform/process/logger.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { createModelFollower, type ModelFollower, type ModelSource } from './modelFollower.ts';
import { createNamedModelReader, type NamedModelReader } from './namedModelReader.ts';
import { namedBy } from '../catalogue/modelFor.ts';
import { newestItems } from '../rank/newItems.ts';
import { filterableOf, readNewProperties } from './newProperties.ts';
import { trialsOf } from '../catalogue/trials.ts';
import { readTrialsWithRests } from './trialsReader.ts';
import type { RankQuestion } from '../../messages/selectionMessages.ts';
import { createRegionReader, regionsOf, type RegionReader } from './regionReader.ts';
import { createPopularityFollower, FOLLOWING, LOADING, type PopularityFollower } from './popularityFollower.ts';
import { MAX_LISTS, NeighbourLists } from '../vectors/neighbourLists.ts';
import { precomputeNeighbours, type PrecomputeSettings } from './precomputeNeighbours.ts';
import { newHeldCatalogue, type HeldCatalogue } from './heldCatalogue.ts';
import type { HeldSizes } from './heldSizes.ts';

/** Items per read: with 16 vectors of 1,536 numbers each they take 20 MB. */
const PAGE = 200;
/** Maximum number of pages that one catalogue reads per turn, so that a large import does not delay the others. */
const FOLLOWED_PAGES = 10;
/** Maximum number of concurrent loads: they share the processor with the rankings. */
const LOADS = 2;
/** A catalogue that was not used for this long is not followed; on the next use it catches up. */
const FOLLOWED_MS = 10 * 60_000;
/** People count as asking questions while the last question is no older than this. */
const BUSY_MS = 1_000;
/** Maximum number of neighbour lists that are computed ahead. The cache keeps room for those that are asked for. */
const LISTS_AHEAD = MAX_LISTS * 0.75;
/**
 * Time for the lists of one catalogue before the next one has its turn: those of a large one take minutes, in which
 * others are loaded.
 */
const AHEAD_TURN_MS = 60_000;
/** Delay before a catalogue that was too large is tried again: it may have shrunk, or others may have been dropped. */
const REFUSED_MS = 10 * 60_000;

export interface CataloguesDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Memory limit of all catalogues together. */
  budgetBytes: number;
  models: ModelSource;
  /** Receives the ids of items whose changes a catalogue has applied; the next page waits for it. */
  onApplied?(projectId: string, catalogue: Catalogue, ids: readonly string[]): Promise<void>;
}

/** A catalogue, or the reason why there is none. */
export type CatalogueLookup = Catalogue | 'loading' | 'too_large';

export class Catalogues {
  readonly #deps: CataloguesDeps;
  readonly #models: ModelFollower;
  readonly #namedModels: NamedModelReader;
  readonly #popularity: PopularityFollower;
  readonly #regions: RegionReader;
  /** Catalogues in the order of last use. */
  readonly #held = new Map<string, HeldCatalogue>();
  readonly #lists = new NeighbourLists();
  readonly #waiting: string[] = [];
  readonly #loads = new Set<Promise<void>>();
  readonly #propertyReads = new Map<HeldCatalogue, Promise<void>>();
  /** Number of turns of following that have begun. */
  turns = 0;
  #askedAt = -Infinity;
  #isClosed = false;

  constructor(deps: CataloguesDeps) {
    this.#deps = deps;
    this.#models = createModelFollower(deps.models, deps.logger);
    this.#namedModels = createNamedModelReader(deps.models, deps.logger);
    this.#popularity = createPopularityFollower(deps.pool);
    this.#regions = createRegionReader(deps.pool, deps.logger);
  }

  /** Returns the catalogue of a project; the first question starts the load. */
  find(projectId: string): CatalogueLookup {
    const now = performance.now();
    this.#askedAt = now;
    const held = this.#held.get(projectId);
    if (!held || (held.state === 'too_large' && now - held.refusedAt > REFUSED_MS)) {
      this.#reload(projectId);
      return 'loading';
    }
    held.usedAt = now;
    this.#held.delete(projectId);
    this.#held.set(projectId, held);
    if (held.state === 'ready') return held.catalogue;
    return held.state === 'waiting' ? 'loading' : held.state;
  }

  /** Loads what a question needs besides the catalogue; it does not wait for a named model. Never throws. */
  async prepare(question: RankQuestion): Promise<void> {
    const { projectId } = question;
    const regions = regionsOf(question);
    const model = namedBy(question);
    const catalogue = regions.length > 0 || model !== null ? this.find(projectId) : null;
    if (catalogue === null || typeof catalogue === 'string') return;
    if (model !== null)
      this.#namedModels.want(
        projectId,
        catalogue,
        model,
        (bytes) => this.holds(projectId, catalogue) && this.#makeRoom(projectId, bytes),
      );
    await Promise.all(regions.map(({ key, period }) => this.#regions.prepare(projectId, catalogue, key, period)));
  }

  #reload(projectId: string): void {
    this.#evict(projectId);
    const catalogue = new Catalogue(this.#lists, []);
    this.#held.set(projectId, newHeldCatalogue(catalogue));
    this.#waiting.push(projectId);
    this.#startLoads();
  }

  /** Reads properties that have become filterable, unless it does so already; the catalogue stays in use meanwhile. */
  readNewProperties(projectId: string): void {
    const held = this.#held.get(projectId);
    if (held?.state !== 'ready' || this.#propertyReads.has(held)) return;
    const shouldContinue = (): boolean => {
      if (this.#isCurrent(projectId, held)) this.#keepToBudget(projectId, held);
      return this.#isCurrent(projectId, held) && held.state === 'ready';
    };
    const reading = this.#attempt(projectId, () =>
      readNewProperties(this.#deps.pool, projectId, { catalogue: held.catalogue, shouldContinue }),
    ).finally(() => this.#propertyReads.delete(held));
    this.#propertyReads.set(held, reading);
  }

  /** Returns how much is held in memory, and how far it lags behind. */
  sizes(): HeldSizes {
    const sizes = { projects: 0, items: 0, bytes: 0, behindMs: 0 };
    for (const { catalogue, state } of this.#held.values()) {
      if (state === 'ready') sizes.projects += 1;
      sizes.items += catalogue.size;
      sizes.bytes += catalogue.bytes;
    }
    const now = performance.now();
    for (const [, { followedAt }] of this.#inUse()) sizes.behindMs = Math.max(sizes.behindMs, now - followedAt);
    return sizes;
  }

  /** Brings the catalogues in use up to date. */
  async followAll(): Promise<void> {
    this.turns += 1;
    const used = this.#inUse();
    if (used.length === 0) return;
    const horizon = await readItemsHorizon(this.#deps.pool);
    for (const [projectId, held] of used)
      if (this.#isCurrent(projectId, held))
        await this.#attempt(projectId, async () => {
          const begunAt = performance.now();
          held.isFarBehind = !(await this.#readChanges(projectId, held, horizon, FOLLOWED_PAGES));
          if (!held.isFarBehind) held.followedAt = begunAt;
          await this.#popularity.follow(projectId, held.catalogue, FOLLOWING);
        });
  }

  /** Applies models that were published in the meantime. @throws when the database does not answer */
  async followModels(): Promise<void> {
    for (const [projectId, held] of this.#inUse())
      if (this.#isCurrent(projectId, held)) {
        await this.#followModel(projectId, held);
        await this.#namedModels.follow(projectId, held.catalogue);
      }
  }

  async #followModel(projectId: string, { catalogue }: HeldCatalogue): Promise<void> {
    await this.#models.follow(projectId, catalogue, (bytes) => this.#makeRoom(projectId, bytes));
  }

  /** Reads the trial counts of new items for the catalogues in use. @throws when the database does not answer */
  async followTrials(): Promise<void> {
    const used = this.#inUse();
    const settings = { catalogues: used.length, shouldContinue: () => !this.#isClosed };
    for (const [projectId, { catalogue }] of used) {
      const ids = newestItems(catalogue).map(({ id }) => id);
      const tried = await readTrialsWithRests(this.#deps.pool, projectId, ids, settings);
      if (tried === null) return;
      catalogue.trials = trialsOf(tried, (id) => catalogue.slotOf(id));
    }
  }

  /** Computes the neighbour lists of the most popular items of the catalogues in use, which share the cache equally. */
  async computeAhead(pause: PrecomputeSettings['pause'] = (ms) => delay(ms)): Promise<void> {
    const used = this.#inUse();
    const limit = Math.floor(LISTS_AHEAD / Math.max(1, used.length));
    for (const [projectId, held] of used) {
      if (!this.#isCurrent(projectId, held)) continue;
      const until = performance.now() + AHEAD_TURN_MS;
      await precomputeNeighbours(held.catalogue, {
        limit,
        shouldContinue: () => this.#isCurrent(projectId, held) && performance.now() < until,
        isBusy: () => performance.now() - this.#askedAt < BUSY_MS,
        pause,
      });
    }
  }

  #inUse(): [string, HeldCatalogue][] {
    return [...this.#held].filter(([, one]) => one.state === 'ready' && performance.now() - one.usedAt < FOLLOWED_MS);
  }

  /** Stops what is being read after its current page, and waits for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#loads, ...this.#propertyReads.values(), this.#namedModels.close()]);
  }

  #isCurrent(projectId: string, held: HeldCatalogue): boolean {
    return !this.#isClosed && this.#held.get(projectId) === held;
  }

  #startLoads(): void {
    while (this.#loads.size < LOADS && this.#waiting.length > 0 && !this.#isClosed) {
      const projectId = this.#waiting.shift() ?? '';
      const load = this.#attempt(projectId, () => this.#load(projectId)).finally(() => {
        this.#loads.delete(load);
        this.#startLoads();
      });
      this.#loads.add(load);
    }
  }

  async #load(projectId: string): Promise<void> {
    const held = this.#held.get(projectId);
    if (held?.state !== 'waiting') return;
    const { pool } = this.#deps;
    held.followedAt = performance.now();
    try {
      held.catalogue = new Catalogue(this.#lists, await filterableOf(pool, projectId));
      if (!(await this.#readChanges(projectId, held, await readItemsHorizon(pool)))) return;
      await this.#popularity.follow(projectId, held.catalogue, LOADING);
      await this.#followModel(projectId, held);
      if (this.#isCurrent(projectId, held)) held.state = 'ready';
    } catch (error) {
      // The next question starts a new load.
      if (this.#held.get(projectId) === held) this.#evict(projectId);
      throw error;
    }
  }

  /**
   * @returns false when the end was not reached: the page limit is used up, the process stops, or the catalogue is no
   * longer held
   */
  async #readChanges(projectId: string, held: HeldCatalogue, horizon: Horizon, pages = Infinity): Promise<boolean> {
    for (let page = 0; page < pages; page += 1) {
      const { catalogue } = held;
      const wanted = { after: catalogue.position, before: horizon.text, limit: PAGE };
      const changes = await readCatalogueChanges(this.#deps.pool, projectId, wanted);
      if (!this.#isCurrent(projectId, held)) return false;
      catalogue.apply(changes);
      await this.#notifyApplied(projectId, catalogue, changes);
      this.#keepToBudget(projectId, held);
      if (held.state === 'too_large') return false;
      if (changes.length < PAGE) {
        held.followedTo = horizon.micros;
        return true;
      }
    }
    return false;
  }

  /** Returns true when a catalogue has all changes up to a moment, in microseconds since 1970; null means no change. */
  hasFollowedTo(projectId: string, changedAt: number | null): boolean {
    return changedAt === null || changedAt < (this.#held.get(projectId)?.followedTo ?? -Infinity);
  }

  /** Returns true when there was more to follow than one turn may take. */
  isFarBehind(projectId: string): boolean {
    return this.#held.get(projectId)?.isFarBehind ?? false;
  }

  /** Applies changes before older ones that are still unread. @returns false when the catalogue is no longer held */
  async applyEarly(projectId: string, catalogue: Catalogue, changes: readonly CatalogueChange[]): Promise<boolean> {
    if (!this.holds(projectId, catalogue)) return false;
    catalogue.applyAhead(changes);
    await this.#notifyApplied(projectId, catalogue, changes);
    return this.holds(projectId, catalogue);
  }

  holds(projectId: string, catalogue: Catalogue): boolean {
    return !this.#isClosed && this.#held.get(projectId)?.catalogue === catalogue;
  }

  /** @returns true when the catalogue of a project and what is held beside it fit; others may be dropped for them */
  hasRoom(projectId: string): boolean {
    const { budgetBytes } = this.#deps;
    return this.#makeRoom(projectId) && (this.#held.get(projectId)?.catalogue.bytes ?? 0) <= budgetBytes;
  }

  async #notifyApplied(projectId: string, catalogue: Catalogue, changes: readonly CatalogueChange[]): Promise<void> {
    const ids = changes.map(({ id }) => id);
    if (ids.length > 0) await this.#deps.onApplied?.(projectId, catalogue, ids);
  }

  /** Drops the least recently used catalogues. @returns true when `more` additional bytes fit afterwards */
  #makeRoom(projectId: string, more = 0): boolean {
    const { budgetBytes } = this.#deps;
    let bytes = this.sizes().bytes + more;
    const alone = (this.#held.get(projectId)?.catalogue.bytes ?? 0) + more;
    if (more > 0 && alone > budgetBytes) return false;
    for (const [other, { catalogue, state }] of this.#held) {
      if (bytes <= budgetBytes) return true;
      if (other === projectId || state !== 'ready') continue;
      bytes -= catalogue.bytes;
      this.#evict(other);
    }
    return bytes <= budgetBytes;
  }

  /** Refuses a catalogue for which the budget has no room. */
  #keepToBudget(projectId: string, held: HeldCatalogue): void {
    const { budgetBytes, logger } = this.#deps;
    if (!this.#makeRoom(projectId)) held.catalogue.sidecar?.drop();
    // Two catalogues that load at the same time may exceed the budget together; the larger one is dropped.
    if (this.#makeRoom(projectId) || held.catalogue.bytes <= budgetBytes / LOADS) return;
    logger.error(
      { projectId, items: held.catalogue.size, budgetMb: Math.round(budgetBytes / 2 ** 20) },
      'a catalogue does not fit into SELECTION_CATALOGUE_MB: its recommendations are fallbacks',
    );
    held.catalogue.drop();
    Object.assign(held, {
      catalogue: new Catalogue(this.#lists, []),
      state: 'too_large',
      refusedAt: performance.now(),
    });
  }

  #evict(projectId: string): void {
    this.#held.get(projectId)?.catalogue.drop();
    this.#held.delete(projectId);
  }

  /** Logs errors and keeps what is held; the next turn continues from there. */
  async #attempt(projectId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.logger.warn({ err: error, projectId }, 'could not bring a catalogue up to date');
    }
  }
}

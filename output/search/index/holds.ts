/** The indexes of catalogues: each is read when it is first searched, and follows its catalogue from then on. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { readSearchDocuments, type SearchDocument } from '../../../db/search/documents.ts';
import type { Logger } from '../../../process/logger.ts';
import type { Catalogue } from '../../selection/catalogue.ts';
import { columnBytes } from '../match/itemColumns.ts';
import { SearchIndex } from './searchIndex.ts';

/** Documents read at a time. */
const PAGE = 200;
/** Documents between two turns of the event loop: a question waits for some milliseconds. */
const AT_A_TIME = 20;
/** An index that was too large is tried again after this. */
const REFUSED_MS = 10 * 60_000;

interface Hold {
  index: SearchIndex;
  state: 'loading' | 'ready' | 'too_large';
  refusedAt: number;
  /** Of each slot the change that its document is of, microseconds since 1970. */
  stamps: number[];
  /** Changes that are being read. */
  following: Set<Promise<void>>;
}

export interface HoldsDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Whether what is held of a project fits into the memory (output/selection/catalogues.ts). */
  hasRoom(projectId: string): boolean;
  /** Whether the catalogue is still the project's. */
  isHeld(projectId: string, catalogue: Catalogue): boolean;
}

export class SearchHolds {
  readonly #deps: HoldsDeps;
  readonly #holds = new WeakMap<Catalogue, Hold>();
  /** One at a time: reading and stemming take the processor. */
  #loads: Promise<void> = Promise.resolve();

  constructor(deps: HoldsDeps) {
    this.#deps = deps;
  }

  /** The first question begins the load. */
  find(projectId: string, catalogue: Catalogue): SearchIndex | 'loading' | 'too_large' {
    const hold = this.#holds.get(catalogue);
    if (!hold || (hold.state === 'too_large' && performance.now() - hold.refusedAt > REFUSED_MS)) {
      this.#begin(projectId, catalogue);
      return 'loading';
    }
    return hold.state === 'ready' ? hold.index : hold.state;
  }

  /** Reads what has changed. @throws when the database does not answer: the index is read anew then */
  async follow(projectId: string, catalogue: Catalogue, ids: readonly string[]): Promise<void> {
    const hold = this.#holds.get(catalogue);
    if (!hold || hold.state === 'too_large') return;
    const reading = this.#read(projectId, hold, { catalogue, ids });
    hold.following.add(reading);
    try {
      await reading;
    } catch (error) {
      this.#forget(hold, catalogue);
      throw error;
    } finally {
      hold.following.delete(reading);
    }
  }

  /** Settles when everything that the catalogue has taken in so far is in the index, too. */
  async settle(catalogue: Catalogue): Promise<void> {
    await Promise.allSettled(this.#holds.get(catalogue)?.following ?? []);
  }

  async #read(
    projectId: string,
    hold: Hold,
    { catalogue, ids }: { catalogue: Catalogue; ids: readonly string[] },
  ): Promise<void> {
    const documents = await readSearchDocuments(this.#deps.pool, projectId, ids);
    if (isRefused(hold)) return;
    await this.#put(hold, catalogue, documents);
    this.#keepToBudget(projectId, hold, catalogue);
  }

  /** Waits for the load in hand, which ends with the catalogues (output/selection/catalogues.ts). */
  async close(): Promise<void> {
    await this.#loads;
  }

  #begin(projectId: string, catalogue: Catalogue): void {
    const index = new SearchIndex();
    const hold: Hold = { index, state: 'loading', refusedAt: 0, stamps: [], following: new Set() };
    this.#holds.set(catalogue, hold);
    catalogue.companion = {
      get bytes() {
        return hold.index.bytes + 8 * hold.stamps.length + columnBytes(catalogue);
      },
      drop: () => this.#drop(hold, catalogue),
    };
    this.#loads = this.#loads.then(async () => {
      try {
        await this.#load(projectId, hold, catalogue);
      } catch (error) {
        this.#deps.logger.warn({ err: error, projectId }, 'the words of a catalogue could not be read');
        this.#forget(hold, catalogue);
      }
    });
  }

  async #load(projectId: string, hold: Hold, catalogue: Catalogue): Promise<void> {
    const read = (from: number): Promise<SearchDocument[]> =>
      readSearchDocuments(this.#deps.pool, projectId, idsFrom(catalogue, from));
    let coming = read(0);
    for (let from = 0; from < catalogue.size; from += PAGE) {
      const documents = await coming;
      coming = read(from + PAGE);
      // Awaited with the next page, or never; a fault is told then.
      coming.catch(() => {});
      await this.#put(hold, catalogue, documents);
      this.#keepToBudget(projectId, hold, catalogue);
      if (isRefused(hold) || !this.#deps.isHeld(projectId, catalogue)) return;
    }
    hold.state = 'ready';
  }

  async #put(hold: Hold, catalogue: Catalogue, documents: readonly SearchDocument[]): Promise<void> {
    for (const [at, document] of documents.entries()) {
      const slot = catalogue.slotOf(document.id);
      if (slot === undefined || (hold.stamps[slot] ?? 0) > document.micros) continue;
      while (hold.stamps.length <= slot) hold.stamps.push(0);
      hold.stamps[slot] = document.micros;
      hold.index.put(slot, document);
      if (at % AT_A_TIME === AT_A_TIME - 1) await nextTurn();
    }
  }

  #keepToBudget(projectId: string, hold: Hold, catalogue: Catalogue): void {
    const { hasRoom, logger } = this.#deps;
    if (isRefused(hold) || hasRoom(projectId)) return;
    const megabytes = Math.round(hold.index.bytes / 2 ** 20);
    logger.error(
      { projectId, documents: hold.index.documents, megabytes },
      'the words of a catalogue do not fit into SELECTION_CATALOGUE_MB: its searches are fallbacks',
    );
    this.#drop(hold, catalogue);
  }

  /** The next question begins anew. */
  #forget(hold: Hold, catalogue: Catalogue): void {
    this.#drop(hold, catalogue);
    if (this.#holds.get(catalogue) === hold) this.#holds.delete(catalogue);
  }

  #drop(hold: Hold, catalogue: Catalogue): void {
    Object.assign(hold, { index: new SearchIndex(), state: 'too_large', refusedAt: performance.now(), stamps: [] });
    // Another may have begun in its place.
    if (this.#holds.get(catalogue) === hold) catalogue.companion = null;
  }
}

function isRefused({ state }: Hold): boolean {
  return state === 'too_large';
}

function idsFrom(catalogue: Catalogue, from: number): string[] {
  const ids: string[] = [];
  for (let slot = from; slot < Math.min(from + PAGE, catalogue.size); slot += 1) {
    const item = catalogue.itemAt(slot);
    if (item) ids.push(item.id);
  }
  return ids;
}

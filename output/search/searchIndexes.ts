/**
 * Holds the search indexes of catalogues. An index is loaded when it is first searched, and follows its catalogue from
 * then on.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { readSearchDocuments, type SearchDocument } from '../../db/search/documents.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Catalogue } from '../selection/catalogue/catalogue.ts';
import { columnBytes } from './match/cachedItemValues.ts';
import { documentHash, SearchIndex } from './index/searchIndex.ts';

/**
 * Number of documents per read. A document may have a million characters of its own, and as many of speech, so two
 * pages (one is read while the other is indexed) can take 80 MB.
 */
const PAGE = 10;
/** Delay before an index that was too large is tried again. */
const REFUSED_MS = 10 * 60_000;

interface IndexEntry {
  index: SearchIndex;
  state: 'loading' | 'ready' | 'too_large';
  refusedAt: number;
  /** For each slot, the time of the change that its document reflects, in microseconds since 1970. */
  stamps: number[];
  /** Changes that are being read. */
  following: Set<Promise<void>>;
}

export interface HoldsDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Returns true when the data held for a project fits into the memory (output/selection/upkeep/catalogues.ts). */
  hasRoom(projectId: string): boolean;
  /** Returns true while the catalogue is still the current one of the project. */
  isHeld(projectId: string, catalogue: Catalogue): boolean;
}

export class SearchIndexes {
  readonly #deps: HoldsDeps;
  readonly #holds = new WeakMap<Catalogue, IndexEntry>();
  /** Chain of loads, one at a time, since reading and stemming use the processor. */
  #loads: Promise<void> = Promise.resolve();

  constructor(deps: HoldsDeps) {
    this.#deps = deps;
  }

  /** Returns the index, or why there is none; the first question starts the load. */
  find(projectId: string, catalogue: Catalogue): SearchIndex | 'loading' | 'too_large' {
    const hold = this.#holds.get(catalogue);
    if (!hold || (hold.state === 'too_large' && performance.now() - hold.refusedAt > REFUSED_MS)) {
      this.#begin(projectId, catalogue);
      return 'loading';
    }
    return hold.state === 'ready' ? hold.index : hold.state;
  }

  /** Reads the changed documents. @throws when the database does not answer; the index is loaded again then */
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

  /** Resolves when everything that the catalogue has taken in so far is also in the index. */
  async settle(catalogue: Catalogue): Promise<void> {
    await Promise.allSettled(this.#holds.get(catalogue)?.following ?? []);
  }

  async #read(
    projectId: string,
    hold: IndexEntry,
    { catalogue, ids }: { catalogue: Catalogue; ids: readonly string[] },
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += PAGE) {
      const documents = await readSearchDocuments(this.#deps.pool, projectId, ids.slice(from, from + PAGE));
      if (isRefused(hold)) return;
      await this.#put(hold, catalogue, documents);
      this.#keepToBudget(projectId, hold, catalogue);
    }
  }

  /**
   * Waits for the running load, which ends when the catalogues are closed (output/selection/upkeep/catalogues.ts).
   */
  async close(): Promise<void> {
    await this.#loads;
  }

  #begin(projectId: string, catalogue: Catalogue): void {
    const index = new SearchIndex();
    const hold: IndexEntry = { index, state: 'loading', refusedAt: 0, stamps: [], following: new Set() };
    this.#holds.set(catalogue, hold);
    catalogue.sidecar = {
      get bytes() {
        return hold.index.bytes + 8 * hold.stamps.length + columnBytes(catalogue);
      },
      drop: () => this.#drop(hold, catalogue),
    };
    this.#loads = this.#loads.then(async () => {
      try {
        await this.#load(projectId, hold, catalogue);
      } catch (error) {
        this.#deps.logger.warn({ err: error, projectId }, 'could not read the words of a catalogue');
        this.#forget(hold, catalogue);
      }
    });
  }

  async #load(projectId: string, hold: IndexEntry, catalogue: Catalogue): Promise<void> {
    const read = (from: number): Promise<SearchDocument[]> =>
      readSearchDocuments(this.#deps.pool, projectId, idsFrom(catalogue, from));
    let coming = read(0);
    for (let from = 0; from < catalogue.size; from += PAGE) {
      const documents = await coming;
      coming = read(from + PAGE);
      // The promise is awaited with the next page, or never; an error is reported then.
      coming.catch(() => {});
      await this.#put(hold, catalogue, documents);
      this.#keepToBudget(projectId, hold, catalogue);
      if (isRefused(hold) || !this.#deps.isHeld(projectId, catalogue)) return;
    }
    hold.state = 'ready';
  }

  async #put(hold: IndexEntry, catalogue: Catalogue, documents: readonly SearchDocument[]): Promise<void> {
    for (const document of documents) {
      // Questions wait for no more than one document, or one piece of a long one.
      await nextTurn();
      if (isRefused(hold)) return;
      const slot = catalogue.slotOf(document.id);
      if (slot === undefined || (hold.stamps[slot] ?? 0) > document.micros) continue;
      while (hold.stamps.length <= slot) hold.stamps.push(0);
      hold.stamps[slot] = document.micros;
      const { index } = hold;
      if (!document.isEligible) {
        // Its words must become neither completions nor corrections.
        index.remove(slot);
        continue;
      }
      const hash = documentHash(document);
      if (index.hasSame(slot, hash)) continue;
      const reading = index.read(document);
      let read = reading.next();
      for (; !read.done; read = reading.next()) await nextTurn();
      if (isRefused(hold)) return;
      // A later change of the item may have been put while a long text was read.
      if (hold.stamps[slot] === document.micros) index.put(slot, document, { hash, words: read.value });
    }
  }

  #keepToBudget(projectId: string, hold: IndexEntry, catalogue: Catalogue): void {
    const { hasRoom, logger } = this.#deps;
    if (isRefused(hold) || hasRoom(projectId)) return;
    const megabytes = Math.round(hold.index.bytes / 2 ** 20);
    logger.error(
      { projectId, documents: hold.index.documents, megabytes },
      'the words of a catalogue do not fit into SELECTION_CATALOGUE_MB: its searches are fallbacks',
    );
    this.#drop(hold, catalogue);
  }

  /** Forgets the index; the next question starts a new load. */
  #forget(hold: IndexEntry, catalogue: Catalogue): void {
    this.#drop(hold, catalogue);
    if (this.#holds.get(catalogue) === hold) this.#holds.delete(catalogue);
  }

  #drop(hold: IndexEntry, catalogue: Catalogue): void {
    Object.assign(hold, { index: new SearchIndex(), state: 'too_large', refusedAt: performance.now(), stamps: [] });
    // Another index may have replaced it.
    if (this.#holds.get(catalogue) === hold) catalogue.sidecar = null;
  }
}

function isRefused({ state }: IndexEntry): boolean {
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

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

export interface SearchIndexesDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Returns true when the data held for a project fits into the memory (output/selection/upkeep/catalogues.ts). */
  hasRoom(projectId: string): boolean;
  /** Returns true while the catalogue is still the current one of the project. */
  isHeld(projectId: string, catalogue: Catalogue): boolean;
}

export class SearchIndexes {
  readonly #deps: SearchIndexesDeps;
  readonly #entries = new WeakMap<Catalogue, IndexEntry>();
  /** Chain of loads, one at a time, since reading and stemming use the processor. */
  #loads: Promise<void> = Promise.resolve();

  constructor(deps: SearchIndexesDeps) {
    this.#deps = deps;
  }

  /** Returns the index, or why there is none; the first question starts the load. */
  find(projectId: string, catalogue: Catalogue): SearchIndex | 'loading' | 'too_large' {
    const entry = this.#entries.get(catalogue);
    if (!entry || (entry.state === 'too_large' && performance.now() - entry.refusedAt > REFUSED_MS)) {
      this.#begin(projectId, catalogue);
      return 'loading';
    }
    return entry.state === 'ready' ? entry.index : entry.state;
  }

  /** Reads the changed documents. @throws when the database does not answer; the index is loaded again then */
  async follow(projectId: string, catalogue: Catalogue, ids: readonly string[]): Promise<void> {
    const entry = this.#entries.get(catalogue);
    if (!entry || entry.state === 'too_large') return;
    const reading = this.#read(projectId, entry, { catalogue, ids });
    entry.following.add(reading);
    try {
      await reading;
    } catch (error) {
      this.#evict(entry, catalogue);
      throw error;
    } finally {
      entry.following.delete(reading);
    }
  }

  /** Resolves when everything that the catalogue has taken in so far is also in the index. */
  async settle(catalogue: Catalogue): Promise<void> {
    await Promise.allSettled(this.#entries.get(catalogue)?.following ?? []);
  }

  async #read(
    projectId: string,
    entry: IndexEntry,
    { catalogue, ids }: { catalogue: Catalogue; ids: readonly string[] },
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += PAGE) {
      const documents = await readSearchDocuments(this.#deps.pool, projectId, ids.slice(from, from + PAGE));
      if (isRefused(entry)) return;
      await this.#put(entry, catalogue, documents);
      this.#keepToBudget(projectId, entry, catalogue);
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
    const entry: IndexEntry = { index, state: 'loading', refusedAt: 0, stamps: [], following: new Set() };
    this.#entries.set(catalogue, entry);
    catalogue.sidecar = {
      get bytes() {
        return entry.index.bytes + 8 * entry.stamps.length + columnBytes(catalogue);
      },
      drop: () => this.#drop(entry, catalogue),
    };
    this.#loads = this.#loads.then(async () => {
      try {
        await this.#load(projectId, entry, catalogue);
      } catch (error) {
        this.#deps.logger.warn({ err: error, projectId }, 'could not read the words of a catalogue');
        this.#evict(entry, catalogue);
      }
    });
  }

  async #load(projectId: string, entry: IndexEntry, catalogue: Catalogue): Promise<void> {
    const read = (from: number): Promise<SearchDocument[]> =>
      readSearchDocuments(this.#deps.pool, projectId, idsFrom(catalogue, from));
    let coming = read(0);
    for (let from = 0; from < catalogue.size; from += PAGE) {
      const documents = await coming;
      coming = read(from + PAGE);
      // The promise is awaited with the next page, or never; an error is reported then.
      coming.catch(() => {});
      await this.#put(entry, catalogue, documents);
      this.#keepToBudget(projectId, entry, catalogue);
      if (isRefused(entry) || !this.#deps.isHeld(projectId, catalogue)) return;
    }
    entry.state = 'ready';
  }

  async #put(entry: IndexEntry, catalogue: Catalogue, documents: readonly SearchDocument[]): Promise<void> {
    for (const document of documents) {
      // Questions wait for no more than one document, or one piece of a long one.
      await nextTurn();
      if (isRefused(entry)) return;
      const slot = catalogue.slotOf(document.id);
      if (slot === undefined || (entry.stamps[slot] ?? 0) > document.micros) continue;
      while (entry.stamps.length <= slot) entry.stamps.push(0);
      entry.stamps[slot] = document.micros;
      const { index } = entry;
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
      if (isRefused(entry)) return;
      // A later change of the item may have been put while a long text was read.
      if (entry.stamps[slot] === document.micros) index.put(slot, document, { hash, words: read.value });
    }
  }

  #keepToBudget(projectId: string, entry: IndexEntry, catalogue: Catalogue): void {
    const { hasRoom, logger } = this.#deps;
    if (isRefused(entry) || hasRoom(projectId)) return;
    const megabytes = Math.round(entry.index.bytes / 2 ** 20);
    logger.error(
      { projectId, documents: entry.index.documents, megabytes },
      'the words of a catalogue do not fit into SELECTION_CATALOGUE_MB: its searches are fallbacks',
    );
    this.#drop(entry, catalogue);
  }

  /** Evicts the index; the next question starts a new load. */
  #evict(entry: IndexEntry, catalogue: Catalogue): void {
    this.#drop(entry, catalogue);
    if (this.#entries.get(catalogue) === entry) this.#entries.delete(catalogue);
  }

  #drop(entry: IndexEntry, catalogue: Catalogue): void {
    Object.assign(entry, { index: new SearchIndex(), state: 'too_large', refusedAt: performance.now(), stamps: [] });
    // Another index may have replaced it.
    if (this.#entries.get(catalogue) === entry) catalogue.sidecar = null;
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

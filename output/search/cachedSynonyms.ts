/**
 * Caches the synonyms of projects in the selection process. They are always current, since each use checks the version.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { readSynonyms, readSynonymsVersion } from '../../db/search/storedSynonyms.ts';
import type { Queryable } from '../../db/pool.ts';
import { NO_SYNONYMS, SynonymGroups, type SynonymMap } from './text/synonymMap.ts';

/** Number of cached entries of all projects together, some 300 bytes each; the largest list has 40,000. */
const MAX_ENTRIES = 400_000;
/** Rows read between two other tasks: some 5 ms of work. */
const ROWS_AT_A_TIME = 20;

interface CachedSynonyms {
  version: number;
  map: SynonymGroups;
}

export class SynonymCache {
  readonly #pool: Queryable;
  readonly #cached = new LRUCache<string, CachedSynonyms>({
    maxSize: MAX_ENTRIES,
    sizeCalculation: ({ map }) => Math.max(1, map.size),
  });
  /** Running reads by project and version: questions that need a list at the same time read it once. */
  readonly #reads = new Map<string, Promise<CachedSynonyms>>();

  constructor(pool: Queryable) {
    this.#pool = pool;
  }

  /** @throws when the database does not answer */
  async of(projectId: string): Promise<SynonymMap> {
    const version = await readSynonymsVersion(this.#pool, projectId);
    if (version === 0) return NO_SYNONYMS;
    const cached = this.#cached.get(projectId);
    if (cached?.version === version) return cached.map;
    const key = `${projectId} ${version}`;
    const reading = this.#reads.get(key) ?? this.#read(projectId).finally(() => this.#reads.delete(key));
    this.#reads.set(key, reading);
    return (await reading).map;
  }

  async #read(projectId: string): Promise<CachedSynonyms> {
    const { version, synonyms } = await readSynonyms(this.#pool, projectId);
    const map = new SynonymGroups();
    for (const [at, row] of synonyms.entries()) {
      if (at > 0 && at % ROWS_AT_A_TIME === 0) await nextTurn();
      map.add(row);
    }
    const cached = { version, map };
    const known = this.#cached.get(projectId);
    if (known === undefined || known.version < version) this.#cached.set(projectId, cached);
    return cached;
  }
}

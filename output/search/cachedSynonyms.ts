/**
 * Caches the synonyms of projects in the selection process. They are always current, since each use checks the version.
 */
import { LRUCache } from 'lru-cache';
import { readSynonyms, readSynonymsVersion } from '../../db/search/storedSynonyms.ts';
import type { Queryable } from '../../db/pool.ts';
import { NO_SYNONYMS, synonymMapOf, type SynonymMap } from './text/synonymMap.ts';

/**
 * Number of cached projects: a thousand rows of twenty words take several megabytes, but most projects have a few rows.
 */
const HELD = 200;

export class Synonyms {
  readonly #pool: Queryable;
  readonly #held = new LRUCache<string, { version: number; map: SynonymMap }>({ max: HELD });

  constructor(pool: Queryable) {
    this.#pool = pool;
  }

  /** @throws when the database does not answer */
  async of(projectId: string): Promise<SynonymMap> {
    const version = await readSynonymsVersion(this.#pool, projectId);
    if (version === 0) return NO_SYNONYMS;
    const held = this.#held.get(projectId);
    if (held?.version === version) return held.map;
    const read = await readSynonyms(this.#pool, projectId);
    const map = synonymMapOf(read.synonyms);
    this.#held.set(projectId, { version: read.version, map });
    return map;
  }
}

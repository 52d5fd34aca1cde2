/**
 * Vectors of queries, by the model that makes those of the items. They are cached: many people search for the same
 * thing, and a request may cost money.
 */
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { similarityOf } from '../../domain/output/similarity/similarity.ts';
import { itemVector } from '../../domain/output/vectors.ts';
import type { QueryMeaning } from './match/findHits.ts';

/** Computes the vector of a query, usually by an embedding provider (providers/types.ts). */
export interface QueryEmbedder {
  model: string;
  /** Null when the model was not measured. */
  similarityThreshold: number | null;
  /** Embeds a query; the signal aborts work whose result nobody can use any more. */
  embed(query: string, signal: AbortSignal): Promise<Float32Array>;
}

/** Share of a search's remaining time for which it waits for the vector of its query. */
export const VECTOR_SHARE = 0.6;
/** Number of cached vectors, some 5 MB at 512 dimensions. */
const MAX_CACHED = 5_000;
/**
 * Deadline of one vector: it is computed and cached for the next question even when the first one has stopped waiting.
 */
const MAX_MS = 10_000;
/** Maximum number of vectors computed at a time; further queries are answered by words. */
const MAX_AT_A_TIME = 16;

export interface QueryVectors {
  /** @returns null when there is no vector within `waitMs`; never throws */
  of(query: string, waitMs: number): Promise<QueryMeaning | null>;
}

export const NO_QUERY_VECTORS: QueryVectors = { of: () => Promise.resolve(null) };

export function createQueryVectors(embedder: QueryEmbedder): QueryVectors {
  const { model } = embedder;
  const threshold = embedder.similarityThreshold ?? similarityOf(model).similar;
  /** Keyed by a hash, so that queries are not stored. */
  const known = new LRUCache<string, Promise<QueryMeaning | null>>({ max: MAX_CACHED });
  let inFlight = 0;

  const make = async (query: string): Promise<QueryMeaning | null> => {
    inFlight += 1;
    try {
      const vector = itemVector([await embedder.embed(query, AbortSignal.timeout(MAX_MS))]);
      return vector && { placed: { ...vector, model }, threshold, isMeasured: embedder.similarityThreshold !== null };
    } finally {
      inFlight -= 1;
    }
  };
  const find = (query: string): Promise<QueryMeaning | null> | null => {
    const key = createHash('sha256').update(query).digest('base64');
    const found = known.get(key);
    if (found) return found;
    if (inFlight >= MAX_AT_A_TIME) return null;
    const made = make(query);
    known.set(key, made);
    made.catch(() => known.delete(key));
    return made;
  };
  return {
    async of(query, waitMs) {
      const made = find(query);
      if (made === null || waitMs <= 0) return null;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), waitMs);
      });
      try {
        return await Promise.race([made, timeout]);
      } catch {
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Lists that the API keeps for the moments when selection does not answer. The rules are asked of each item anyway. */
import { listNewestItems, type NewestWanted } from '../../db/output/newest.ts';
import type { Queryable } from '../../db/pool.ts';
import { recency } from '../../domain/output/recency.ts';
import type { Candidate } from './candidates.ts';

/** What a path falls back to. */
export type FallbackKind = 'newest';

/** Ids of a list: what a page with all of its rules needs, and no more than a few milliseconds to judge. */
const LISTED = 500;
const FRESH_MS = 60_000;
/** Lists that are kept: each is some 50 KB. */
const LISTS = 1_000;

interface List {
  candidates: readonly Candidate[];
  readAt: number;
}

export interface FallbackLists {
  /** What is shown to anybody, at most a minute old. @throws when it is not known and the database does not answer */
  common(kind: FallbackKind, projectId: string): Promise<readonly Candidate[]>;
  /** Where the common list has too little of what is wanted. @throws when the database does not answer */
  wanted(kind: FallbackKind, projectId: string, wanted: NewestWanted): Promise<readonly Candidate[]>;
}

const ANY: NewestWanted = { types: null, authors: null, publishedAfter: null, publishedBefore: null };

type ReadList = (pool: Queryable, projectId: string, wanted: NewestWanted) => Promise<Candidate[]>;

const READERS: Readonly<Record<FallbackKind, ReadList>> = {
  async newest(pool, projectId, wanted) {
    const now = Date.now();
    const items = await listNewestItems(pool, projectId, wanted, LISTED);
    return items.map(({ id, publishedAt }) => ({ id, score: scoreOf(publishedAt, now), reason: { code: 'new' } }));
  },
};

/** As many digits as a snapshot keeps. */
const scoreOf = (publishedAt: Date, now: number): number => Number(recency(publishedAt, now).toFixed(6));

export function createFallbackLists(pool: Queryable): FallbackLists {
  const lists = new Map<string, List>();
  return {
    async common(kind, projectId) {
      const key = `${kind} ${projectId}`;
      const known = lists.get(key);
      if (known && performance.now() - known.readAt < FRESH_MS) return known.candidates;
      const candidates = await READERS[kind](pool, projectId, ANY);
      lists.delete(key);
      lists.set(key, { candidates, readAt: performance.now() });
      const oldest = lists.keys().next();
      if (lists.size > LISTS && !oldest.done) lists.delete(oldest.value);
      return candidates;
    },
    wanted: (kind, projectId, wanted) => READERS[kind](pool, projectId, wanted),
  };
}

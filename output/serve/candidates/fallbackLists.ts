/**
 * Lists that the API caches for times when selection does not answer (generateCandidates.ts). The rules are checked for
 * each item in any case.
 */
import { LRUCache } from 'lru-cache';
import { isStatementTimeout } from '../../../db/errors.ts';
import { listNewestItems } from '../../../db/output/newest.ts';
import type { ListFilter } from '../../../domain/output/listFilter.ts';
import { listPopularItems } from '../../../db/popularity/readPopularity.ts';
import type { Queryable } from '../../../db/pool.ts';
import { dayOf } from '../../../domain/events/changedDays.ts';
import { shareOf } from '../../../domain/output/popularity.ts';
import { recency } from '../../../domain/output/recency.ts';
import { SCORE_DIGITS } from '../../scoreDigits.ts';
import type { Candidate } from './allowedCandidates.ts';

/** Number of ids per list: enough for a page with all of its rules, and checked in a few milliseconds. */
const LISTED = 500;
const FRESH_MS = 60_000;
/** Maximum number of cached lists, some 50 KB each. */
const MAX_LISTS = 1_000;

interface List {
  candidates: readonly Candidate[];
  readAt: number;
}

export interface FallbackLists {
  /**
   * Returns the list for everybody, at most a minute old. @throws when it is not cached and the database does not
   * answer
   */
  common(projectId: string): Promise<readonly Candidate[]>;
  /**
   * Returns items that meet the conditions, for when the common list has too few of them. @throws when the database
   * does not answer
   */
  wanted(projectId: string, wanted: ListFilter): Promise<readonly Candidate[]>;
}

const ANY: ListFilter = { types: null, authors: null, publishedAfter: null, publishedBefore: null };

/** Reads the popular items of the last week, then the newest. */
async function readList(pool: Queryable, projectId: string, wanted: ListFilter): Promise<Candidate[]> {
  const now = Date.now();
  const [popular, newest] = await Promise.all([
    listPopularItems(pool, projectId, lastWeek(now), { ...wanted, limit: LISTED }).catch(noneOnTimeout),
    listNewestItems(pool, projectId, wanted, LISTED),
  ]);
  const max = popular[0]?.score ?? 0;
  const known = new Set(popular.map(({ id }) => id));
  const candidates = [
    ...popular.map(({ id, score }): Candidate => {
      const share = NEW_BELOW + (1 - NEW_BELOW) * shareOf(score, max);
      return { id, score: rounded(share), reason: { code: 'popular' } };
    }),
    ...newest
      .filter(({ id }) => !known.has(id))
      .map(({ id, publishedAt }): Candidate => {
        return { id, score: rounded(NEW_BELOW * recency(publishedAt, now)), reason: { code: 'new' } };
      }),
  ];
  return candidates.slice(0, LISTED);
}

/**
 * Returns no items after a statement timeout: reading the newest is a single index scan, so there is an answer without
 * the popular ones.
 */
function noneOnTimeout(error: unknown): [] {
  if (isStatementTimeout(error)) return [];
  throw error;
}

/** Scores of items that are only new are below this, those of popular ones above. */
const NEW_BELOW = 0.1;
const WEEK = 7;

function lastWeek(now: number): number[] {
  const today = dayOf(new Date(now));
  return Array.from({ length: WEEK }, (_, ago) => today - ago);
}

const rounded = (score: number): number => Number(score.toFixed(SCORE_DIGITS));

export function createFallbackLists(pool: Queryable): FallbackLists {
  const lists = new LRUCache<string, List>({ max: MAX_LISTS });
  /** Running reads: requests that need a list at the same time read it once. */
  const reads = new Map<string, Promise<readonly Candidate[]>>();

  async function read(projectId: string): Promise<readonly Candidate[]> {
    const candidates = await readList(pool, projectId, ANY);
    lists.set(projectId, { candidates, readAt: performance.now() });
    return candidates;
  }

  return {
    async common(projectId) {
      const known = lists.get(projectId);
      if (known && performance.now() - known.readAt < FRESH_MS) return known.candidates;
      const reading = reads.get(projectId) ?? read(projectId).finally(() => reads.delete(projectId));
      reads.set(projectId, reading);
      return reading;
    },
    wanted: (projectId, wanted) => readList(pool, projectId, wanted),
  };
}

/** Lists that the API keeps for the moments when selection does not answer (generate.ts). The rules are asked of each item anyway. */
import { isStatementTimeout } from '../../db/errors.ts';
import { listNewestItems, type ListWanted } from '../../db/output/newest.ts';
import { listPopularItems } from '../../db/popularity/read.ts';
import type { Queryable } from '../../db/pool.ts';
import { dayOf } from '../../domain/eventChanges.ts';
import { shareOf } from '../../domain/output/popularity.ts';
import { recency } from '../../domain/output/recency.ts';
import type { Candidate } from './candidates.ts';

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
  common(projectId: string): Promise<readonly Candidate[]>;
  /** Where the common list has too little of what is wanted. @throws when the database does not answer */
  wanted(projectId: string, wanted: ListWanted): Promise<readonly Candidate[]>;
}

const ANY: ListWanted = { types: null, authors: null, publishedAfter: null, publishedBefore: null };

/** What was popular within a week, then what is new. */
async function readList(pool: Queryable, projectId: string, wanted: ListWanted): Promise<Candidate[]> {
  const now = Date.now();
  const [popular, newest] = await Promise.all([
    listPopularItems(pool, projectId, lastWeek(now), { ...wanted, limit: LISTED }).catch(noneInTime),
    listNewestItems(pool, projectId, wanted, LISTED),
  ]);
  const most = popular[0]?.score ?? 0;
  const known = new Set(popular.map(({ id }) => id));
  const candidates = [
    ...popular.map(({ id, score }): Candidate => {
      const share = NEW_BELOW + (1 - NEW_BELOW) * shareOf(score, most);
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

/** The newest cost one index: without the popular ones there still is an answer. */
function noneInTime(error: unknown): [] {
  if (isStatementTimeout(error)) return [];
  throw error;
}

/** What is only new ends where what is popular begins. */
const NEW_BELOW = 0.1;
const WEEK = 7;

function lastWeek(now: number): number[] {
  const today = dayOf(new Date(now));
  return Array.from({ length: WEEK }, (_, ago) => today - ago);
}

/** As many digits as a snapshot keeps. */
const rounded = (score: number): number => Number(score.toFixed(6));

export function createFallbackLists(pool: Queryable): FallbackLists {
  const lists = new Map<string, List>();
  /** Requests that need a list at the same time read it once. */
  const reads = new Map<string, Promise<readonly Candidate[]>>();

  async function read(projectId: string): Promise<readonly Candidate[]> {
    const candidates = await readList(pool, projectId, ANY);
    lists.delete(projectId);
    lists.set(projectId, { candidates, readAt: performance.now() });
    const oldest = lists.keys().next();
    if (lists.size > LISTS && !oldest.done) lists.delete(oldest.value);
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

/** Changes of the lake that nobody waits for, beside commits that come every other second. */
import type pg from 'pg';
import { upkeepInTurn, type Rank } from '../../../db/lakeWriters.ts';
import { retryConflicts } from '../retryConflicts.ts';

/**
 * Runs a whole transaction of upkeep. One that loses against commits is made again ahead of them, so that it
 * loses once at most, however long it takes and however many come.
 * @param first how commits are to regard the first try
 */
export async function doUpkeep<T>(pool: pg.Pool, transaction: () => Promise<T>, first: Rank = 'in turn'): Promise<T> {
  return upkeepInTurn(pool, (inRank) =>
    retryConflicts((attempt) => inRank(attempt === 1 ? first : 'ahead', transaction)),
  );
}

/** Background changes of the lake, concurrent with commits every other second. */
import type pg from 'pg';
import { upkeepInTurn, type Precedence } from '../../../db/lake/writerTurns.ts';
import { retryConflicts } from '../retryConflicts.ts';

/**
 * Runs a whole transaction of upkeep. If it conflicts with commits, its retry takes precedence over them, so that it
 * fails at most once, however long it takes and however many commits arrive.
 * @param first the rank of the first attempt among commits
 */
export async function doUpkeep<T>(
  pool: pg.Pool,
  transaction: () => Promise<T>,
  first: Precedence = 'in turn',
): Promise<T> {
  return upkeepInTurn(pool, (inRank) =>
    retryConflicts((attempt) => inRank(attempt === 1 ? first : 'ahead', transaction)),
  );
}

/** The popularity of items as it is stored, for searches that selection does not answer. */
import { isStatementTimeout } from '../../../db/errors.ts';
import type { Queryable } from '../../../db/pool.ts';
import { readItemDays } from '../../../db/popularity/readPopularity.ts';
import { dayOf } from '../../../domain/events/changedDays.ts';
import { firstDayOf, sumsOf, totalAt, USUAL_PERIOD } from '../../../domain/output/popularity.ts';

/**
 * Returns the popularity of items within the usual period, in weighted people; items that nobody has met are missing.
 * If the counts cannot be read in time, all items are missing: an answer in a worse order is better than none.
 * @throws when the database does not answer
 */
export async function totalsOf(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const now = Date.now();
  const since = firstDayOf(USUAL_PERIOD, dayOf(new Date(now)));
  const counted = await readItemDays(pool, projectId, ids, since).catch((error: unknown) => {
    if (isStatementTimeout(error)) return [];
    throw error;
  });
  const at = totalAt(USUAL_PERIOD);
  return new Map(counted.map(({ itemId, days, scores }) => [itemId, sumsOf(days, scores, now)[at] ?? 0]));
}

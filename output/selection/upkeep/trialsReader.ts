/** Reads how often new items were shown and opened, slowly enough for questions to be answered meanwhile. */
import { readTrials, type TriedItem } from '../../../db/output/trials.ts';
import type { Queryable } from '../../../db/pool.ts';
import { Pace, type PaceSettings } from '../../../platform/process/concurrency/pace.ts';

/** Interval at which trials of new items are read; these are shown for days before much is known about them. */
export const FOLLOW_TRIALS_MS = 30_000;
/** Number of items whose trials are counted at a time: each may have thousands of events. */
const PAGE = 25;
/** Rest between two pages, as a multiple of the time that the last one took. */
const REST_FACTOR = 9;
/** Maximum rest, so that a slow database does not delay the counts of other catalogues. */
const MAX_REST_MS = 500;
/** Maximum sum of the rests of all catalogues, which are read one after the other twice a minute. */
const RESTS_MS = 20_000;

interface ReadSettings {
  /** Number of catalogues that share the rests. */
  catalogues: number;
  /** Returns false when the process stops. */
  shouldContinue(): boolean;
  pause?: PaceSettings['pause'];
}

/** @returns the counts of each item; null when the process stops. @throws when the database does not answer */
export async function readTrialsWithRests(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
  { catalogues, shouldContinue, pause }: ReadSettings,
): Promise<TriedItem[] | null> {
  const tried: TriedItem[] = [];
  const maxRestMs = Math.min(MAX_REST_MS, RESTS_MS / catalogues / Math.ceil(ids.length / PAGE));
  const pace = new Pace(REST_FACTOR, { maxRestMs, pause });
  for (let from = 0; from < ids.length; from += PAGE) {
    if (from > 0) await pace.rest();
    if (!shouldContinue()) return null;
    tried.push(...(await readTrials(pool, projectId, ids.slice(from, from + PAGE))));
  }
  return tried;
}

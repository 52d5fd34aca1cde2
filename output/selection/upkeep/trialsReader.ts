/** Reads how often new items were shown and opened, slowly enough for questions to be answered meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import { readTrials, type TriedItem } from '../../../db/output/trials.ts';
import type { Queryable } from '../../../db/pool.ts';

/** Number of items whose trials are counted at a time: each may have thousands of events. */
const PAGE = 25;
/** Rest between two pages, as a multiple of the time that the last one took. */
const REST = 9;
/** Maximum rest, so that a slow database does not delay the counts of other catalogues. */
const MAX_REST_MS = 500;
/** Maximum sum of the rests of all catalogues, which are read one after the other twice a minute. */
const RESTS_MS = 20_000;

interface ReadSettings {
  /** Number of catalogues that share the rests. */
  catalogues: number;
  /** Returns false when the process stops. */
  mayGoOn(): boolean;
  pause?(ms: number): Promise<void>;
}

/** @returns the counts of each item; null when the process stops. @throws when the database does not answer */
export async function readTrialsWithRests(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
  { catalogues, mayGoOn, pause = (ms) => delay(ms) }: ReadSettings,
): Promise<TriedItem[] | null> {
  const tried: TriedItem[] = [];
  const mostMs = Math.min(MAX_REST_MS, RESTS_MS / catalogues / Math.ceil(ids.length / PAGE));
  let spent = 0;
  for (let from = 0; from < ids.length; from += PAGE) {
    if (from > 0) await pause(Math.min(mostMs, REST * spent));
    if (!mayGoOn()) return null;
    const begun = performance.now();
    tried.push(...(await readTrials(pool, projectId, ids.slice(from, from + PAGE))));
    spent = performance.now() - begun;
  }
  return tried;
}

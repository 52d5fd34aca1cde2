/**
 * Lets the analysis go on that waited for volume: when the volume of a project was raised, units came
 * free or a new month began. Nothing of what waits has a workflow or a timer, so any number of
 * waiting items costs nothing but their rows. On the way it gives back what is held for nothing.
 */
import type pg from 'pg';
import { runAlone } from '../db/advisoryLock.ts';
import { closeAbandoned } from '../db/analysis/holdUnits.ts';
import { readNow } from '../db/clock.ts';
import { listProjectsThatWait, resumeItems, type ReservationPlace } from '../db/volume.ts';
import { PRIORITY } from '../domain/queues.ts';
import { monthOf } from '../domain/volume.ts';
import type { Logger } from '../process/logger.ts';
import type { WakeUp } from '../process/wakeUp.ts';

export interface ResumeDeps {
  pool: pg.Pool;
  logger: Logger;
  /** The time, which a test may set; the database's otherwise, as for the plans that reserve units. */
  now?: () => Date;
}

/** A new month, and units that came free, are noticed within this. */
const POLL_MS = 30_000;
/** While there is more to resume. With `AT_ONCE` it is about what a machine analyses meanwhile. */
const MORE_MS = 10_000;
/** Items of one project in one pass. */
const AT_ONCE = 500;
/** Reservations looked through between two passes; a hundred thousand take less than an hour. */
const RESERVATIONS_AT_ONCE = 1_000;

/** Runs until `stopped` says so; `wakeUp` is rung when a volume changed. Never throws. */
export async function resumeForever(deps: ResumeDeps, wakeUp: WakeUp, stopped: () => boolean): Promise<void> {
  let place: ReservationPlace | null = null;
  while (!stopped()) {
    place = await releaseAbandoned(deps, place);
    const hasMore = await resumeWaiting(deps, stopped).then(
      ({ hasMore: more }) => more,
      (error: unknown) => {
        deps.logger.warn({ err: error }, 'resuming what waits for volume failed');
        return false;
      },
    );
    if (!stopped()) await wakeUp.sleep(hasMore ? MORE_MS : POLL_MS);
  }
}

/**
 * One pass over the projects that wait and have units left. Safe beside other relays: one of them does
 * it. What is queued here reserves its units with its next plan; what then finds them taken waits on.
 */
export async function resumeWaiting(
  { pool, logger, now }: ResumeDeps,
  stopped: () => boolean = () => false,
): Promise<{ resumed: number; hasMore: boolean }> {
  let resumed = 0;
  let hasMore = false;
  await runAlone(pool, 'volume', async () => {
    const month = monthOf(now ? now() : await readNow(pool));
    for (const { projectId, free } of await listProjectsThatWait(pool, month)) {
      if (stopped()) return;
      const count = await resumeItems(pool, { projectId, free, most: AT_ONCE, priority: PRIORITY.bulk });
      if (count > 0) logger.info({ projectId, items: count }, 'analysis goes on: there is volume again');
      resumed += count;
      hasMore ||= count === AT_ONCE;
    }
  });
  return { resumed, hasMore };
}

/**
 * Gives back the units of items that were deleted or are over and whose workflow was lost before it
 * could do so. Safe beside other relays, and beside the workflows: the item's lock decides.
 * @param after where the last pass ended
 * @returns where the next one begins; null for the beginning
 */
export async function releaseAbandoned(
  { pool, logger }: ResumeDeps,
  after: ReservationPlace | null,
): Promise<ReservationPlace | null> {
  try {
    const { closed, last } = await closeAbandoned(pool, after, RESERVATIONS_AT_ONCE);
    if (closed > 0) logger.info({ items: closed }, 'volume given back that nobody needed any more');
    return last;
  } catch (error) {
    logger.warn({ err: error }, 'giving back volume that nobody needs failed');
    return after;
  }
}

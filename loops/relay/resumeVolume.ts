/**
 * Resumes analysis that waited for volume: after the volume of a project was raised, units were freed, or a new month
 * began. Waiting items have neither a workflow nor a timer, so any number of them costs nothing but their rows. It also
 * releases units that are held by items that no longer need them.
 */
import type pg from 'pg';
import { runExclusively } from '../../db/advisoryLock.ts';
import { closeAbandoned } from '../../db/analysis/reserveVolumeOrWait.ts';
import { readNow } from '../../db/clock.ts';
import { listProjectsThatWait, resumeItems, type ReservationCursor } from '../../db/analysis/volume.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { monthOf } from '../../domain/analysis/volume.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';

export interface ResumeDeps {
  pool: pg.Pool;
  logger: Logger;
  /** Returns the time, for tests; by default the database's clock, as for the plans that reserve units. */
  now?: () => Date;
  /** Longest sleep between two passes, for tests; half a minute by default. */
  pollMs?: number;
}

/** A new month and freed units are noticed within this time. */
const POLL_MS = 30_000;
/**
 * Interval while there is more to resume. With `MAX_ITEMS_PER_PASS` it roughly matches what a machine analyses in the meantime.
 */
const MORE_MS = 10_000;
/** Maximum number of items of one project per pass. */
const MAX_ITEMS_PER_PASS = 500;
/** Number of reservations checked between two passes; a hundred thousand take less than an hour. */
const RESERVATIONS_PER_PASS = 1_000;

/** Runs until `stopped` returns true; `wakeUp` rings when a volume changed. Never throws. */
export async function resumeForever(deps: ResumeDeps, wakeUp: WakeUp, stopped: () => boolean): Promise<void> {
  let cursor: ReservationCursor | null = null;
  while (!stopped()) {
    cursor = await releaseAbandoned(deps, cursor);
    const hasMore = await resumeWaiting(deps, stopped).then(
      ({ hasMore: more }) => more,
      (error: unknown) => {
        deps.logger.warn({ err: error }, 'could not resume items that wait for volume');
        return false;
      },
    );
    if (!stopped()) await wakeUp.sleep(hasMore ? MORE_MS : (deps.pollMs ?? POLL_MS));
  }
}

/**
 * Makes one pass over the projects that wait and have units left. Safe to run in several relays: only one of them makes
 * the pass. A queued item reserves its units with its next plan; if they are taken by then, it waits again.
 */
export async function resumeWaiting(
  { pool, logger, now }: ResumeDeps,
  stopped: () => boolean = () => false,
): Promise<{ resumed: number; hasMore: boolean }> {
  let resumed = 0;
  let hasMore = false;
  await runExclusively(pool, 'volume', async () => {
    const month = monthOf(now ? now() : await readNow(pool));
    for (const { projectId, free } of await listProjectsThatWait(pool, month)) {
      if (stopped()) return;
      const count = await resumeItems(pool, { projectId, free, limit: MAX_ITEMS_PER_PASS, priority: PRIORITY.bulk });
      if (count > 0) logger.info({ projectId, items: count }, 'analysis resumes: there is volume again');
      resumed += count;
      hasMore ||= count === MAX_ITEMS_PER_PASS;
    }
  });
  return { resumed, hasMore };
}

/**
 * Releases the units of items that were deleted or finished and whose workflow was lost before it could do so. Safe to
 * run at the same time as other relays and the workflows: the item's lock decides.
 * @param after the end of the last pass
 * @returns the start of the next pass; null for the beginning
 */
async function releaseAbandoned(
  { pool, logger }: ResumeDeps,
  after: ReservationCursor | null,
): Promise<ReservationCursor | null> {
  try {
    const { closed, last } = await closeAbandoned(pool, after, RESERVATIONS_PER_PASS);
    if (closed > 0) logger.info({ items: closed }, 'released volume that is no longer needed');
    return last;
  } catch (error) {
    logger.warn({ err: error }, 'could not release volume that is no longer needed');
    return after;
  }
}

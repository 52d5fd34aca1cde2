/** Adds up how many items are in each state (docs/decisions/pipeline.md). */
import type pg from 'pg';
import { runExclusively } from '../../db/advisoryLock.ts';
import { addUpTallies, countProject, listUncountedProjects } from '../../db/items/tallies.ts';

/** Interval of adding up tallies; until then readers add up the changes of items themselves. */
export const TALLIES_MS = 2_000;
/** Changes per statement, which takes tens of milliseconds. */
const CHANGES = 10_000;

/** Makes one pass. Safe to run in several relays: only one of them makes the pass. */
export async function addUpItems(pool: pg.Pool, stopped: () => boolean = () => false): Promise<void> {
  await runExclusively(pool, 'tallies', async () => {
    for (const project of await listUncountedProjects(pool)) {
      if (stopped()) return;
      await countProject(pool, project);
    }
    while (!stopped() && (await addUpTallies(pool, CHANGES)) === CHANGES);
  });
}

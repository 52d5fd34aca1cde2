/** Adds up how many items are in each state (docs/decisions/pipeline.md). */
import type pg from 'pg';
import { runExclusively } from '../../db/advisoryLock.ts';
import { addUpTallies, countProject, listUncountedProjects } from '../../db/items/tallies.ts';

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

/**
 * Counts the events that were written by SQL with the product's own counter, without the pauses that it makes beside an
 * intake.
 */
import { createPool } from '../../../../db/pool.ts';
import { createLogger } from '../../../../platform/process/logger.ts';
import { countChanges } from '../../../../loops/relay/popularityCounter.ts';
import type { BenchDatabase } from '../../intake/database.ts';
import type { World } from './fill.ts';

/** The first and the last possible day, in days since 1970. */
const ALL_DAYS = [0, 2 ** 31 - 1];

export async function countPopularity(database: BenchDatabase, { projectId }: World): Promise<void> {
  const pool = createPool({
    databaseUrl: database.url,
    size: 2,
    applicationName: 'attune-bench',
    looksUpByIndex: true,
  });
  try {
    await database.query('insert into event_changes (project_id, first_day, last_day) values ($1, $2, $3)', [
      projectId,
      ...ALL_DAYS,
    ]);
    const deps = { pool, logger: createLogger('bench', 'silent') };
    while ((await countChanges(deps)) > 0);
  } finally {
    await pool.end();
  }
}

/** Records in the database, once, which models this process uses. */
import type pg from 'pg';
import { recordModels } from '../../db/analysis/stepModels.ts';
import type { StepModels } from '../../domain/analysis/stepModels.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';

/** Retry interval while the database is unavailable at start. */
const RETRY_MS = 5_000;

/**
 * Runs only at start: during a rolling update, processes with the old models still run, and repeated checks would make
 * each side take the other for a change.
 */
export function recordModelsOnce(pool: pg.Pool, models: StepModels, logger: Logger): RunningProcess {
  let isRecorded = false;
  return repeat(RETRY_MS, logger, 'noting the models', async () => {
    if (isRecorded) return;
    const changed = await recordModels(pool, models);
    isRecorded = true;
    if (changed.length > 0) logger.info({ changed, models }, 'models changed: outdated items are analysed again');
  });
}

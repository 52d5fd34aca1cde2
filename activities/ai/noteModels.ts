/** Tells the database, once, by which models this process computes. */
import type pg from 'pg';
import { noteModels } from '../../db/stepModels.ts';
import type { StepModels } from '../../domain/models.ts';
import type { RunningProcess } from '../../process/lifecycle.ts';
import type { Logger } from '../../process/logger.ts';
import { repeat } from '../../process/repeat.ts';

/** A database that is away at the start is asked again. */
const AGAIN_MS = 5_000;

/**
 * Only at the start: while processes are replaced those with the old models still run, and two that
 * kept comparing would each take the other for a change.
 */
export function noteModelsOnce(pool: pg.Pool, models: StepModels, logger: Logger): RunningProcess {
  let isNoted = false;
  return repeat(AGAIN_MS, logger, 'noting the models', async () => {
    if (isNoted) return;
    const changed = await noteModels(pool, models);
    isNoted = true;
    if (changed.length > 0) logger.info({ changed, models }, 'models changed: what they outdate is analysed again');
  });
}

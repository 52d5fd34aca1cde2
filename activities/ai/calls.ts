/** What every provider call leaves beside its result: its cost, and a line of what it had to leave out. */
import { recordUsage } from '../../db/analysis/evidence.ts';
import type { Queryable } from '../../db/pool.ts';
import type { StepWork } from '../../domain/work.ts';
import type { ProviderResult } from '../../providers/types.ts';
import { currentLogFields } from '../logFields.ts';
import type { Logger } from '../../process/logger.ts';

/** Records the usage (in the caller's transaction, if it has one) and logs the warnings. */
export async function noteCalls(client: Queryable, logger: Logger, work: Omit<StepWork, 'revision'>, calls: readonly ProviderResult<unknown>[]): Promise<void> {
  for (const { provenance, usage, warnings } of calls) {
    await recordUsage(client, work, work.step, provenance, usage);
    if (warnings.length > 0) logger.info({ ...currentLogFields(), warnings, model: provenance.model }, 'analysis with warnings');
  }
}

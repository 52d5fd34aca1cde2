/** Decides when a report is made from a sample: only after all of the data took too much time or memory. */
import { MAY_BE_SAMPLED, type Answer } from '../mapAndVisitQuestions.ts';
import type { EngineSlot } from './engineSlot.ts';
import type { ReportSettings } from './engineSettings.ts';
import { EngineFault } from './errors.ts';
import type { Job } from '../job.ts';

/** Runs a job on all of the data, and if that is too much once more on a tenth of the visitors. */
export async function runOrSample(
  slot: EngineSlot,
  job: Job,
  { seconds, sampleSeconds }: Pick<ReportSettings, 'seconds' | 'sampleSeconds'>,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await slot.run(job, seconds, signal);
  } catch (error) {
    if (signal.aborted || !isTooMuch(error) || !MAY_BE_SAMPLED[job.kind]) throw error;
  }
  return slot.run({ ...job, options: { ...job.options, sampled: true } }, sampleSeconds, signal);
}

/** Returns whether a tenth of the visitors may succeed: the report took too long or too much memory. */
function isTooMuch(error: unknown): boolean {
  return error instanceof EngineFault && (error.kind === 'interrupted' || error.kind === 'memory');
}

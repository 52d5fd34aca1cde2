/** Runs the job of an engine, by its kind: once, whole or as a sample, as reports/engines/engines.ts decides. */
import type { Job } from '../job.ts';
import type { Lake } from '../lake/index.ts';
import type { Answer } from '../mapAndVisitQuestions.ts';
import { mapClicks, mapScrolls } from './pageMaps.ts';
import { recordedVisits } from './recordedVisits.ts';
import { runReport } from './runReport.ts';

/**
 * Runs a job.
 * @throws as {@link runReport} does, for every kind
 */
export async function runJob(lake: Lake, job: Job, signal: AbortSignal): Promise<Answer> {
  const options = { ...job.options, signal };
  switch (job.kind) {
    case 'report':
      return runReport(lake, job.request, job.site, options);
    case 'clicks':
      return mapClicks(lake, job.request, job.site, options);
    case 'scrolls':
      return mapScrolls(lake, job.request, job.site, options);
    case 'visits':
      return recordedVisits(lake, job.request, job.site, options);
  }
}

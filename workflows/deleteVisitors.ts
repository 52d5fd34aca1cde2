/** Removes every trace of the visitors whose deletion was asked for, also what is on its way when it begins. */
import { proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { AnalyticsActivities } from '../activities/analytics/index.ts';
import { ACTIVITY_OPTIONS } from '../domain/queues.ts';
import { SNAPSHOT_MINUTES } from '../domain/schedules.ts';

const analytics = proxyActivities<AnalyticsActivities>(ACTIVITY_OPTIONS.analytics);

/** A minute more than snapshots and files are kept. */
const PAUSE = `${SNAPSHOT_MINUTES + 1} minutes`;

export async function deleteVisitors(): Promise<{ visitors: number; rows: number; lakeRows: number }> {
  const { runId } = workflowInfo();
  const { visitors } = await analytics.claimVisitorDeletions(runId);
  if (visitors === 0) return { visitors: 0, rows: 0, lakeRows: 0 };

  setCurrentDetails(`${visitors} visitors: removing what PostgreSQL has of them`);
  // What was being ingested meanwhile wrote after the first pass; the second finds it.
  const first = await analytics.purgeVisitors(runId);
  const second = await analytics.purgeVisitors(runId);
  const rows = first.rows + second.rows;

  setCurrentDetails(`${visitors} visitors, ${rows} rows removed: waiting for staged batches, then removing what the lake has`);
  await analytics.awaitStaged();
  const { rows: lakeRows } = await analytics.deleteVisitorsFromLake(runId);

  setCurrentDetails(`${visitors} visitors, ${rows} rows and ${lakeRows} of the lake removed: their files go when no reader has them`);
  await sleep(PAUSE, { summary: 'Until nobody reads the lake as it was' });
  await analytics.removeOldLakeFiles();
  await sleep(PAUSE, { summary: 'Until nobody reads the files of that time' });
  await analytics.removeOldLakeFiles();

  await analytics.closeVisitorDeletions(runId);
  setCurrentDetails(`${visitors} visitors, ${rows} rows and ${lakeRows} of the lake removed`);
  return { visitors, rows, lakeRows };
}

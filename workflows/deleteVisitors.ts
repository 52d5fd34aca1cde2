/**
 * Removes every trace of the visitors and users whose deletion was requested, including data in transit when it begins.
 */
import { patched, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { AnalyticsActivities } from '../activities/analytics/index.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { SNAPSHOT_MINUTES } from '../domain/reports/lakeSnapshots.ts';

const analytics = proxyActivities<AnalyticsActivities>(ACTIVITY_OPTIONS.analytics);

/** One minute longer than snapshots and files are kept. */
const PAUSE = `${SNAPSHOT_MINUTES + 1} minutes`;

export async function deleteVisitors(): Promise<{ visitors: number; users: number; rows: number; lakeRows: number }> {
  const { runId } = workflowInfo();
  // Runs that began before users could be deleted return no number of users.
  const { visitors, users = 0 } = await analytics.claimVisitorDeletions(runId);
  if (visitors + users === 0) return { visitors, users, rows: 0, lakeRows: 0 };
  const people = `${visitors} visitors and ${users} users`;

  setCurrentDetails(`${people}: removing their rows from PostgreSQL`);
  // Data that was being ingested was written after the first pass; the second finds it.
  const first = await analytics.purgeVisitors(runId);
  const second = await analytics.purgeVisitors(runId);
  const rows = first.rows + second.rows;

  setCurrentDetails(
    `${people}, ${rows} rows removed: waiting for staged batches, then removing their rows from the lake`,
  );
  await analytics.awaitStaged();
  const { rows: lakeRows } = await analytics.deleteVisitorsFromLake(runId);
  // Runs that began before this step existed leave the files to expire after seven days.
  const made = patched('forget-exports') ? await analytics.forgetExports(runId, null) : null;

  setCurrentDetails(
    `${people}, ${rows} rows and ${lakeRows} of the lake removed: their files are removed once nobody reads them`,
  );
  await sleep(PAUSE, { summary: 'Until nobody reads the old snapshot of the lake' });
  if (made !== null) await analytics.forgetExports(runId, made.before);
  await analytics.removeOldLakeFiles();
  await sleep(PAUSE, { summary: 'Until nobody reads the old files' });
  await analytics.removeOldLakeFiles();

  await analytics.closeVisitorDeletions(runId);
  setCurrentDetails(`${people}, ${rows} rows and ${lakeRows} of the lake removed`);
  return { visitors, users, rows, lakeRows };
}

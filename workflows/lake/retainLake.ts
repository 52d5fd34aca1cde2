/** Removes data past the retention time of its site: from the lake, and from the tables beside it. */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AnalyticsActivities } from '../../activities/analytics/index.ts';
import { ACTIVITY_OPTIONS } from '../../domain/jobs/activityOptions.ts';

const analytics = proxyActivities<AnalyticsActivities>(ACTIVITY_OPTIONS.analytics);

/** @returns removed rows of the lake and of PostgreSQL, and removed files that no commit referred to */
export async function retainLake(): Promise<{ lakeRows: number; rows: number; orphans: number }> {
  const lake = await analytics.retainLakeRows();
  setCurrentDetails(`${lake.rows} rows of the lake removed`);
  let rows = 0;
  for (;;) {
    const chunk = await analytics.retainSiteRows();
    rows += chunk.rows;
    setCurrentDetails(`${lake.rows} rows of the lake and ${rows} of PostgreSQL removed`);
    if (chunk.isDone) break;
  }
  const { files } = await analytics.removeLakeOrphans();
  return { lakeRows: lake.rows, rows, orphans: files };
}

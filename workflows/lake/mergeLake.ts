/** Keeps the number of the lake's files small and its folder clean. */
import { proxyActivities } from '@temporalio/workflow';
import type { AnalyticsActivities } from '../../activities/analytics/index.ts';
import { ACTIVITY_OPTIONS } from '../../domain/jobs/activityOptions.ts';

const analytics = proxyActivities<AnalyticsActivities>(ACTIVITY_OPTIONS.analytics);

/** @returns how many files were merged into how many, and how many were removed */
export async function mergeLake(): Promise<{ merged: number; made: number; removed: number }> {
  const { merged, made } = await analytics.mergeLakeFiles();
  const { files } = await analytics.removeOldLakeFiles();
  return { merged, made, removed: files };
}

/** Expands the orders of one request into events of the purchase type, chunk by chunk. */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DataActivities } from '../activities/data/index.ts';
import type { JobInput } from '../domain/jobs/jobs.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';

const data = proxyActivities<DataActivities>(ACTIVITY_OPTIONS.data);

/** @returns how many orders this run expanded; another request may have expanded others meanwhile */
export async function expandOrders(input: JobInput): Promise<{ orders: number }> {
  let orders = 0;
  for (;;) {
    const options = {
      ...ACTIVITY_OPTIONS.data,
      summary: `Orders from ${orders + 1} on`,
      priority: { fairnessKey: input.projectId },
    };
    const chunk = await data.expandOrdersChunk.executeWithOptions(options, [input]);
    orders += chunk.orders;
    setCurrentDetails(`${orders} of ${chunk.total} orders expanded`);
    if (chunk.isDone) return { orders };
  }
}

/**
 * Acts as the shop's own server: creates the goals in the cabinet, and reports orders and leads to the analytics API.
 */
import { createAnalyticsClient, createCabinetClient } from '../../../../clients/typescript/src/index.ts';
import { TRAFFIC_GOALS, type ServerFact } from '../../../traffic/index.ts';
import type { DevDescription } from '../settings/devFiles.ts';

/** Maximum number of orders per request. */
const BATCH = 500;

/** Creates the goals, replacing existing ones. */
export async function putGoals(
  { cabinet_url: url, cabinet_token: key, site }: DevDescription,
  signal: AbortSignal,
): Promise<void> {
  const cabinet = createCabinetClient({ baseUrl: `${url}/api`, key, signal });
  for (const { code, match, ...goal } of TRAFFIC_GOALS) {
    await cabinet.putGoal({ path: { id: site.id, code }, body: { ...goal, ...(match !== null && { match }) } });
  }
}

/** @returns the number of records that the API rejected, except repeats */
export async function sendFacts(
  { analytics_url: baseUrl, site }: DevDescription,
  facts: readonly ServerFact[],
  signal: AbortSignal,
): Promise<number> {
  const analytics = createAnalyticsClient({ baseUrl, key: site.api_key, signal });
  const conversions = facts.flatMap((fact) => (fact.kind === 'conversion' ? [fact.record] : []));
  const orders = facts.flatMap((fact) => (fact.kind === 'order' ? [fact.record] : []));
  let rejected = 0;
  for (const part of partsOf(conversions))
    rejected += (await analytics.postConversions({ body: { conversions: part } })).data.rejected.length;
  for (const part of partsOf(orders))
    rejected += (await analytics.postOrders({ body: { orders: part } })).data.rejected.length;
  return rejected;
}

function partsOf<T>(records: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(records.length / BATCH) }, (_, part) =>
    records.slice(part * BATCH, (part + 1) * BATCH),
  );
}

/** Problems that need attention first, over all projects and sites. */
import { queryOptions } from '@tanstack/react-query';
import type { Words } from '../../words/en/index.ts';
import { api, type cabinet } from '../client.ts';
import type { Webhook } from '../webhooks/webhooks.ts';
import { SLOW_MS } from '../pollingIntervals.ts';

export type Troubles = cabinet.Troubles;
export type TroubledWebhook = cabinet.TroubledWebhook;

export const troublesQuery = queryOptions({
  queryKey: ['troubles'],
  queryFn: async ({ signal }) => (await api.getTroubles({ signal })).data,
  refetchInterval: SLOW_MS,
});

/** The query for webhooks that have failed for long, or whose new events are not sent. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: async ({ signal }) => (await api.listWebhookAlerts({ signal, query: { limit: 200 } })).data.items,
  refetchInterval: SLOW_MS,
});

/** Returns urgent problems of a webhook, the worst first. */
export function alertsOf({ enabled, alert, backlog_since }: Webhook): (keyof Words['webhooks']['alerts'])[] {
  if (!enabled) return [];
  return [...(backlog_since === null ? [] : (['backlog'] as const)), ...(alert === null ? [] : [alert])];
}

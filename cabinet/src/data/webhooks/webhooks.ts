/** Webhooks, their journals and recoveries. Queries about one webhook share its key. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { PERIOD_HOURS, SPAN_HOURS, type JournalFilter, type Span } from './journalFilter.ts';
import { queryClient } from '../account/queryClient.ts';
import { LIVE_MS, SLOW_MS, UNFINISHED_MS } from '../pollingIntervals.ts';

const HOUR_MS = 3_600_000;
const PAGE = 50;
/** Number of deliveries on the page of an item. */
const LATEST = 5;
/** The API's limit. */
export const MAX_WEBHOOKS = 5;

export type Webhook = cabinet.Webhook;
export type Delivery = cabinet.Delivery;
export type ItemDelivery = cabinet.ItemDelivery;
export type DeliveryDetail = cabinet.DeliveryDetail;
export type Recovery = cabinet.Recovery;
export type WebhookTest = cabinet.WebhookTestResult;
export type WebhookStatistics = cabinet.WebhookStatistics;
/** A webhook and its project. */
export interface WebhookIds {
  project: string;
  webhook: string;
}

const keyOf = ({ project, webhook }: WebhookIds) => ['webhooks', project, webhook];
export const pathOf = ({ project, webhook }: WebhookIds) => ({ id: project, wid: webhook });

export const webhooksQuery = (project: string) =>
  queryOptions({
    queryKey: ['webhooks', project],
    queryFn: async ({ signal }) => (await api.listWebhooks({ signal, path: { id: project } })).data.items,
    refetchInterval: LIVE_MS,
  });

export const webhookQuery = (ids: WebhookIds) =>
  queryOptions({
    queryKey: keyOf(ids),
    queryFn: async ({ signal }) => (await api.getWebhook({ signal, path: pathOf(ids) })).data,
    refetchInterval: LIVE_MS,
  });

export const deliveriesQuery = (ids: WebhookIds, { status, event, code, period, item }: JournalFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(ids), 'deliveries', { status, event, code, period, item }],
    queryFn: async ({ signal, pageParam }) => {
      const query = {
        limit: PAGE,
        ...(status && { status }),
        ...(event && { event }),
        ...(code && { error_code: code }),
        ...(period && { since: new Date(Date.now() - PERIOD_HOURS[period] * HOUR_MS).toISOString() }),
        ...(item !== undefined && { item }),
        ...(pageParam && { cursor: pageParam }),
      };
      return (await api.listDeliveries({ signal, path: pathOf(ids), query })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    // A user who has loaded more pages is reading older deliveries, and polling many pages is expensive.
    refetchInterval: ({ state: { data } }) => {
      if (data?.pages.some(({ items }) => items.some(isDue))) return UNFINISHED_MS;
      return data && data.pages.length > 1 ? false : LIVE_MS;
    },
  });

export const deliveryQuery = (ids: WebhookIds, delivery: string) =>
  queryOptions({
    queryKey: [...keyOf(ids), 'delivery', delivery],
    queryFn: async ({ signal }) =>
      (await api.getDelivery({ signal, path: { ...pathOf(ids), delivery_id: delivery } })).data,
    refetchInterval: ({ state: { data } }) => {
      if (data?.status !== 'pending') return false;
      return isDue(data) ? UNFINISHED_MS : LIVE_MS;
    },
  });

/** The query for the latest deliveries about an item, by all webhooks. */
export const itemDeliveriesQuery = (project: string, item: string) =>
  queryOptions({
    queryKey: ['item-deliveries', project, item],
    queryFn: async ({ signal }) =>
      (await api.listItemDeliveries({ signal, path: { id: project }, query: { item, limit: LATEST } })).data,
    refetchInterval: ({ state: { data } }) => (data?.items.some(isDue) ? UNFINISHED_MS : LIVE_MS),
  });

/** The query for attempts, durations and waiting events, hour by hour. */
export const webhookStatisticsQuery = (ids: WebhookIds, span: Span) =>
  queryOptions({
    queryKey: [...keyOf(ids), 'statistics', span],
    queryFn: async ({ signal }) =>
      (await api.getWebhookStatistics({ signal, path: pathOf(ids), query: { hours: SPAN_HOURS[span] } })).data,
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_MS,
  });

/** The query for the latest recovery, or null. */
export const lastRecoveryQuery = (ids: WebhookIds) =>
  queryOptions({
    queryKey: [...keyOf(ids), 'recovery'],
    queryFn: async ({ signal }) =>
      (await api.listRecoveries({ signal, path: pathOf(ids), query: { limit: 1 } })).data.items[0] ?? null,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? UNFINISHED_MS : false),
  });

/** Invalidates everything about a webhook, and the list that contains it. */
export async function refreshWebhook({ project, webhook }: WebhookIds): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['webhooks', project], exact: true }),
    queryClient.invalidateQueries({ queryKey: ['webhooks', project, webhook] }),
  ]);
}

/** Returns whether an attempt is imminent. */
function isDue({ status, next_attempt_at: next }: Delivery): boolean {
  return status === 'pending' && (next === null || Date.parse(next) <= Date.now() + LIVE_MS);
}

/** Items and their analysis. Each query has one key for its cached answer. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { plusDays } from '../period.ts';
import { itemQueryOf, type ItemFilter, type ItemStatus } from './itemFilter.ts';
import { queryClient } from '../account/queryClient.ts';
import { LIVE_MS, UNFINISHED_MS } from '../pollingIntervals.ts';

/** Says of each status whether it may change within seconds, so that it is asked for again. */
const IS_UNDER_WAY: Readonly<Record<ItemStatus, boolean>> = {
  queued: true,
  processing: true,
  ready: false,
  partial: false,
  failed: false,
  deferred: false,
};
/** Polling interval of events. */
const AUDIENCE_MS = 15_000;
const PAGE = 50;
const LATEST = 5;

const isUnderWay = ({ status }: { status: ItemStatus }): boolean => IS_UNDER_WAY[status];

export type Item = cabinet.CabinetItemDetail;
export type { ItemStatus } from './itemFilter.ts';
export type ListedItem = cabinet.CabinetItem;
export type ItemStatistics = cabinet.ItemStatistics;

export const itemsQuery = (project: string, filter: ItemFilter) => {
  const asked = itemQueryOf(filter);
  return infiniteQueryOptions({
    queryKey: ['items', project, asked],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PAGE, ...asked, ...(pageParam && { cursor: pageParam }) };
      return (await api.listProjectItems({ signal, path: { id: project }, query })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) ? UNFINISHED_MS : false,
  });
};

/** The query for a project's most recently changed items. */
export const latestItemsQuery = (project: string) =>
  queryOptions({
    queryKey: ['items', project, 'latest'],
    queryFn: async ({ signal }) =>
      (await api.listProjectItems({ signal, path: { id: project }, query: { limit: LATEST } })).data.items,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? UNFINISHED_MS : LIVE_MS),
  });

export const itemQuery = (project: string, item: string) =>
  queryOptions({
    queryKey: ['item', project, item],
    queryFn: async ({ signal }) =>
      (
        await api.getProjectItem({
          signal,
          path: { id: project, item },
          query: { include: ['transcript', 'frames', 'evidence'] },
        })
      ).data,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? UNFINISHED_MS : false),
  });

/**
 * The query for an item with its full text, which may be large, for forms and pages that show it.
 * @param state part of the key: a change loads the text again
 */
export const wholeItemQuery = (project: string, item: string, state = '') =>
  queryOptions({
    queryKey: ['item', project, item, 'whole', state],
    queryFn: async ({ signal }) =>
      (await api.getProjectItem({ signal, path: { id: project, item }, query: { include: ['body'] } })).data,
    placeholderData: keepPreviousData,
  });

/** The query for items by their ids, in no particular order; unknown ones are missing. */
export const itemsByIdQuery = (project: string, ids: readonly string[]) => {
  const named = [...new Set(ids)].sort();
  return queryOptions({
    queryKey: ['items', project, 'ids', named],
    queryFn: async ({ signal }) =>
      (await api.listProjectItems({ signal, path: { id: project }, query: { ids: named } })).data.items,
    enabled: named.length > 0,
    placeholderData: keepPreviousData,
  });
};

/** The query for recent user activity with an item. */
export const itemStatisticsQuery = (project: string, item: string, days: number) =>
  queryOptions({
    queryKey: ['item', project, item, 'statistics', days],
    queryFn: async ({ signal }) => {
      const to = new Date().toISOString().slice(0, 10);
      const query = { from: plusDays(to, 1 - days), to };
      return (await api.getItemStatistics({ signal, path: { id: project, item }, query })).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: AUDIENCE_MS,
  });

/** Invalidates an item and the lists that may contain it. */
export async function refreshItem(project: string, item: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['items', project] }),
    queryClient.invalidateQueries({ queryKey: ['item', project, item] }),
  ]);
}

/** Progress of a project's analysis, and its reruns. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { queryClient } from '../account/queryClient.ts';
import { LIVE_MS, UNFINISHED_MS } from '../pollingIntervals.ts';

export type Pipeline = cabinet.Pipeline;
export type StepReason = cabinet.StepReason;
export type Rerun = cabinet.Rerun;
export type RerunRequest = cabinet.RerunRequest;

const PAGE = 5;

export const pipelineQuery = (project: string) =>
  queryOptions({
    queryKey: ['pipeline', project],
    queryFn: async ({ signal }) => (await api.getPipeline({ signal, path: { id: project } })).data,
    refetchInterval: LIVE_MS,
  });

export const rerunsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['reruns', project],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) };
      return (await api.listReruns({ signal, path: { id: project }, query })).data;
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ state: one }) => one === 'running'))
        ? UNFINISHED_MS
        : LIVE_MS,
  });

/** Invalidates everything that a rerun changes. */
export async function refreshPipeline(project: string): Promise<void> {
  await Promise.all(
    ['pipeline', 'reruns', 'items'].map((name) => queryClient.invalidateQueries({ queryKey: [name, project] })),
  );
}

/** Returns the number of items of a project that are not deleted. */
export function itemsIn({ items }: Pick<Pipeline, 'items'>): number {
  return Object.values(items).reduce((sum, count) => sum + count, 0);
}

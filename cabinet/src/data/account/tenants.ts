/** The projects and sites that the user may see. */
import { queryOptions } from '@tanstack/react-query';
import { RIGHTS_MS } from './rightsRefresh.ts';
import { api, type cabinet } from '../client.ts';
import { MAX_PAGE_SIZE, readAll } from '../paginatedList.ts';

export type Site = cabinet.Site;

/** Reads long lists, which only administrators have, less often: each of their pages is a request. */
function refetchIntervalOf(list: readonly unknown[] = []): number {
  return RIGHTS_MS * Math.max(1, Math.ceil(list.length / MAX_PAGE_SIZE));
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => readAll((query) => api.listProjects({ signal, query })),
  refetchInterval: ({ state }) => refetchIntervalOf(state.data),
});

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }) => readAll((query) => api.listSites({ signal, query })),
  refetchInterval: ({ state }) => refetchIntervalOf(state.data),
});

export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site],
    queryFn: async ({ signal }) => (await api.getSite({ signal, path: { id: site } })).data,
  });

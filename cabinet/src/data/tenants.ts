/** The projects and sites that the user may see. */
import { queryOptions } from '@tanstack/react-query';
import { RIGHTS_MS } from './account.ts';
import { api, type cabinet } from './client.ts';
import { readAll } from './paginatedList.ts';

export type Site = cabinet.Site;

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => readAll((query) => api.listProjects({ signal, query })),
  refetchInterval: RIGHTS_MS,
});

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }) => readAll((query) => api.listSites({ signal, query })),
  refetchInterval: RIGHTS_MS,
});

export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site],
    queryFn: async ({ signal }) => (await api.getSite({ signal, path: { id: site } })).data,
  });

/** The projects and sites that the user may see. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from './client.ts';

export type Site = cabinet.Site;

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await api.listProjects({ signal, query: { limit: 200 } })).data.items,
});

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: async ({ signal }) => (await api.listSites({ signal, query: { limit: 200 } })).data.items,
});

export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site],
    queryFn: async ({ signal }) => (await api.getSite({ signal, path: { id: site } })).data,
  });

/** The projects and sites that the user may see. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from './client.ts';

export type Site = cabinet.Site;

interface PageOf<T> {
  items: T[];
  next_cursor: string | null;
}

/** Administrators see all projects and sites, which may be more than one answer has. */
async function allOf<T>(read: (query: { limit: number; cursor?: string }) => Promise<PageOf<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const page: PageOf<T> = await read({ limit: 500, ...(cursor !== null && { cursor }) });
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => allOf(async (query) => (await api.listProjects({ signal, query })).data),
});

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }) => allOf(async (query) => (await api.listSites({ signal, query })).data),
});

export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', site],
    queryFn: async ({ signal }) => (await api.getSite({ signal, path: { id: site } })).data,
  });

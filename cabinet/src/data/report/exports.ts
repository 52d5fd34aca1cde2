/** Report exports. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { pagesQuery } from '../paginatedList.ts';
import { UNFINISHED_MS } from '../pollingIntervals.ts';

export type Export = cabinet.Export;
export const FORMATS = exhaustiveList<Export['format']>({ xlsx: true, csv: true });

export const exportsQuery = (site: string) =>
  infiniteQueryOptions({
    ...pagesQuery<Export>(['exports', site], (asked) => api.listExports({ ...asked, path: { id: site } })),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isUnfinished)) ? UNFINISHED_MS : false,
  });

export const exportQuery = (site: string, id: string) =>
  queryOptions({
    queryKey: ['exports', site, id],
    queryFn: async ({ signal }) => (await api.getExport({ signal, path: { id: site, export: id } })).data,
    refetchInterval: ({ state: { data } }) => (data && !isUnfinished(data) ? false : UNFINISHED_MS),
  });

export function isUnfinished({ state }: Export): boolean {
  return state === 'queued' || state === 'running';
}

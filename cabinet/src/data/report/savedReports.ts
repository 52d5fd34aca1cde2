/** The saved reports and segments of a site. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { queryClient } from '../account/queryClient.ts';

export type Segment = cabinet.SavedSegment;

export const savedReportsQuery = (site: string) =>
  queryOptions({
    queryKey: ['saved-reports', site],
    queryFn: async ({ signal }) => (await api.listSavedReports({ signal, path: { id: site } })).data.items,
  });

export const segmentsQuery = (site: string) =>
  queryOptions({
    queryKey: ['segments', site],
    queryFn: async ({ signal }) => (await api.listSegments({ signal, path: { id: site } })).data.items,
  });

export const refreshSavedReports = (site: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['saved-reports', site] });

/** Invalidates reports and lists that use a changed segment. */
export async function refreshSegments(site: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['segments', site] }),
    queryClient.invalidateQueries({ queryKey: ['reports', site] }),
    queryClient.invalidateQueries({ queryKey: ['recordings', site, 'list'] }),
  ]);
}

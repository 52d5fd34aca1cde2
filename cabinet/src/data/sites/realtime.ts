import { queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';
import { LIVE_MS } from '../pollingIntervals.ts';

/** The query for current visitors of a site; polled while the page is visible. */
export const realtimeQuery = (site: string) =>
  queryOptions({
    queryKey: ['realtime', site],
    queryFn: async ({ signal }) => (await api.getRealtime({ signal, path: { id: site } })).data,
    refetchInterval: LIVE_MS,
  });

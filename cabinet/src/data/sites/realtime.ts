import { queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';

const LIVE_MS = 5_000;

/** The query for current visitors of a site; polled while the page is visible. */
export const realtimeQuery = (site: string) =>
  queryOptions({
    queryKey: ['realtime', site],
    queryFn: async ({ signal }) => (await api.getRealtime({ signal, path: { id: site } })).data,
    refetchInterval: LIVE_MS,
  });

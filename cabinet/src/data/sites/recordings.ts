/** Recordings of a site's sessions. Queries about one recording share its key. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';
import { queryClient } from '../account/queryClient.ts';
import { DURATION_SECONDS, PERIOD_DAYS, type RecordingFilter } from './recordingFilter.ts';

export type Recording = cabinet.Recording;
export type Moment = cabinet.RecordingTimeline['moments'][number];
export interface RecordingIds {
  site: string;
  recording: string;
}

const DAY_MS = 86_400_000;

const keyOf = ({ site, recording }: RecordingIds) => ['recordings', site, recording];
export const pathOf = ({ site, recording }: RecordingIds) => ({ id: site, recording });

export const recordingsQuery = (site: string, filter: RecordingFilter) => ({
  ...pagesQuery(['recordings', site, 'list', JSON.stringify(filter)], ({ signal, query }) =>
    api.listRecordings({ signal, path: { id: site }, query: { ...queryOf(filter), ...query } }),
  ),
  placeholderData: keepPreviousData,
});

function queryOf({ page, goal, source, duration, when, visitor, segment, favourite, errors }: RecordingFilter) {
  return {
    ...(page !== undefined && { page }),
    ...(goal !== undefined && { goal }),
    ...(source && { source_type: source }),
    ...(duration && { min_duration: DURATION_SECONDS[duration] }),
    ...(when && { since: new Date(Date.now() - PERIOD_DAYS[when] * DAY_MS).toISOString() }),
    ...(visitor !== undefined && { visitor }),
    ...(segment !== undefined && { segment }),
    ...(favourite && { favourite }),
    ...(errors && { errors }),
  };
}

export const recordingQuery = (ids: RecordingIds) =>
  queryOptions({
    queryKey: keyOf(ids),
    queryFn: async ({ signal }) => (await api.getRecording({ signal, path: pathOf(ids) })).data,
  });

/** The query for recordings of one visitor, the newest first. */
export const visitorRecordingsQuery = (site: string, visitor: string) =>
  queryOptions({
    queryKey: ['recordings', site, 'visitor', visitor],
    queryFn: async ({ signal }) =>
      (await api.listRecordings({ signal, path: { id: site }, query: { visitor, limit: 200 } })).data.items,
  });

export const timelineQuery = (ids: RecordingIds) =>
  queryOptions({
    queryKey: [...keyOf(ids), 'timeline'],
    queryFn: async ({ signal }) => (await api.getRecordingTimeline({ signal, path: pathOf(ids) })).data,
  });

/** The query for the number of a site's favourites and its limit. */
export const favouritesQuery = (site: string) =>
  queryOptions({
    queryKey: ['recordings', site, 'favourites'],
    queryFn: async ({ signal }) =>
      (await api.listRecordings({ signal, path: { id: site }, query: { limit: 1 } })).data.favourites,
  });

/** Returns parts from a number on, in the API's packed form; empty if there are no more. */
export async function fetchParts(ids: RecordingIds, from: number, signal: AbortSignal): Promise<ArrayBuffer> {
  const options = { signal, path: pathOf(ids), query: { from }, parseAs: 'arrayBuffer' } as const;
  return (await api.getRecordingChunks(options)).data as unknown as ArrayBuffer;
}

/** Invalidates the recordings of a site. */
export async function refreshRecordings(site: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['recordings', site] });
}

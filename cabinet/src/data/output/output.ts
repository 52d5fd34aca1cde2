/** Recommendations and searches of a project: previews, settings, models and reports. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { requestOf, type LabSearch } from './lab.ts';
import type { ReportGroup } from './outputSearch.ts';
import { SLOW_MS, UNFINISHED_MS } from '../pollingIntervals.ts';

export type Answer = cabinet.OutputResponse | cabinet.SearchResponse | cabinet.SuggestResponse;
export type ShownItem = cabinet.OutputItem | cabinet.SearchItem;
export type Surface = cabinet.Surface;
export type SurfacePut = cabinet.SurfacePut;
export type Model = cabinet.Model;
export type OutputReport = cabinet.OutputReport;
export type ReportRow = cabinet.OutputReportRow;

/**
 * The query for a preview.
 * @param isPersonal false: as if the person had switched personalization off
 */
export const previewQuery = (project: string, search: LabSearch, isPersonal: boolean) => {
  const asked = { ...requestOf(search), personalization: isPersonal };
  return queryOptions({
    queryKey: ['preview', project, asked],
    queryFn: async ({ signal }): Promise<Answer> =>
      (await api.previewOutput({ signal, path: { id: project }, body: asked })).data,
    placeholderData: keepPreviousData,
  });
};

export type PlaceOfItem = cabinet.PlaceOfItem;

/** The query for the position of an item in the answer to a question, or the reason for its absence. */
export const placeQuery = (project: string, search: LabSearch, item: string) => {
  const asked = { ...requestOf(search), item };
  return queryOptions({
    queryKey: ['place-of-item', project, asked],
    queryFn: async ({ signal }) => (await api.findObstacles({ signal, path: { id: project }, body: asked })).data,
  });
};

/**
 * Retry interval after a fallback: selection takes a moment to read the catalogue of a project without recent requests.
 */
const FALLBACK_RETRY_MS = 3_000;

/** The query for items similar to an item, as shown beside it to everybody. */
export const similarQuery = (project: string, item: string, limit: number) =>
  queryOptions({
    ...previewQuery(project, { path: 'similar', items: [item], limit }, true),
    refetchInterval: ({ state: { data } }) =>
      data && 'mode' in data && data.mode === 'fallback' ? FALLBACK_RETRY_MS : false,
  });

export const surfacesQuery = (project: string) =>
  queryOptions({
    queryKey: ['surfaces', project],
    queryFn: async ({ signal }) => (await api.listSurfaces({ signal, path: { id: project } })).data.items,
  });

export const surfaceQuery = (project: string, surface: string) =>
  queryOptions({
    queryKey: ['surfaces', project, surface],
    queryFn: async ({ signal }) => (await api.getSurface({ signal, path: { id: project, surface } })).data,
  });

const MODELS = 20;

export const modelsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['models', project],
    queryFn: async ({ signal, pageParam }) =>
      (
        await api.listModels({
          signal,
          path: { id: project },
          query: { limit: MODELS, ...(pageParam !== '' && { cursor: pageParam }) },
        })
      ).data,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ state }) => state === 'training')) ? UNFINISHED_MS : SLOW_MS,
  });

export const synonymsQuery = (project: string) =>
  queryOptions({
    queryKey: ['synonyms', project],
    queryFn: async ({ signal }) => (await api.getSynonyms({ signal, path: { id: project } })).data.synonyms,
    // A refetch would discard the input of a user who is editing.
    refetchOnWindowFocus: false,
  });

export interface ReportCriteria {
  from: string;
  until: string;
  group: ReportGroup[];
  surface: string | undefined;
}

/** The same report is not computed twice within a minute, because it reads all answers of its days. */
const FRESH_MS = 60_000;

export const outputReportQuery = (project: string, { surface, ...wanted }: ReportCriteria) =>
  queryOptions({
    queryKey: ['output-report', project, { ...wanted, surface: surface ?? null }],
    queryFn: async ({ signal }) =>
      (
        await api.reportOutput({
          signal,
          path: { id: project },
          query: { ...wanted, ...(surface !== undefined && { surface }) },
        })
      ).data,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

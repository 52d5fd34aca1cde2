/** Settings of a project. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';

export type ProjectKey = cabinet.ProjectKey;
export type EventType = cabinet.EventTypeOut;
export type Property = cabinet.Property;

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: ['project', project],
    queryFn: async ({ signal }) => (await api.getProject({ signal, path: { id: project } })).data,
  });

export const keysQuery = (project: string) =>
  pagesQuery(['keys', project], (asked) => api.listProjectKeys({ ...asked, path: { id: project } }));

export const eventTypesQuery = (project: string) =>
  pagesQuery(['event-types', project], ({ signal }) => api.listProjectEventTypes({ signal, path: { id: project } }));

export const propertiesQuery = (project: string) =>
  pagesQuery(['properties', project], ({ signal }) => api.listProperties({ signal, path: { id: project } }));

/**
 * The query for the analysis volume of a month.
 * @param month `2026-11`; the current one if absent
 */
export const usageQuery = (project: string, month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', project, month ?? null],
    queryFn: async ({ signal }) =>
      (await api.getUsage({ signal, path: { id: project }, query: month === undefined ? {} : { month } })).data,
  });

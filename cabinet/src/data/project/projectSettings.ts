/** Settings of a project. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';
import { queryClient } from '../account/queryClient.ts';
import { mergeChanges } from './mergeChanges.ts';

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

const requestOf = ({ code: _code, ...type }: EventType): cabinet.EventTypePut => type;

/**
 * Saves an event type. The types are read again first, because others may have changed them meanwhile: an existing one
 * gets only what was changed in the form, and a new one does not replace another.
 * @param before the request for the type as the form has opened with it; null for a new type
 * @returns whether it was saved; not if the code of a new type is taken by now
 */
export async function saveEventType(
  project: string,
  code: string,
  before: cabinet.EventTypePut | null,
  after: cabinet.EventTypePut,
): Promise<boolean> {
  const { data } = await api.listProjectEventTypes({ path: { id: project } });
  const newest = data.items.find((one) => one.code === code);
  const isTaken = before === null && newest !== undefined;
  const body = before === null || newest === undefined ? after : mergeChanges(requestOf(newest), before, after);
  if (!isTaken) await api.putEventType({ path: { id: project, code }, body });
  await queryClient.invalidateQueries({ queryKey: eventTypesQuery(project).queryKey });
  return !isTaken;
}

/** Saves a property, as {@link saveEventType} saves a type. */
export async function saveProperty(project: string, before: Property | null, after: Property): Promise<boolean> {
  const { data } = await api.listProperties({ path: { id: project } });
  const newest = data.items.find((one) => one.name === after.name);
  const isTaken = before === null && newest !== undefined;
  const { name, ...body } = before === null || newest === undefined ? after : mergeChanges(newest, before, after);
  if (!isTaken) await api.putProperty({ path: { id: project, name }, body });
  await queryClient.invalidateQueries({ queryKey: propertiesQuery(project).queryKey });
  return !isTaken;
}

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

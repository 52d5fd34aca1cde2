/** People of a project, and their events. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { LIVE_MS } from '../pollingIntervals.ts';

const PAGE = 50;
const LATEST = 100;

export type Person = cabinet.ProjectUser;
export type PersonKind = Person['identifiers'][number]['kind'];
export type ProjectEvent = cabinet.ProjectEvent;
export type RejectedEvent = cabinet.RejectedEvent;
export type Order = cabinet.ProjectOrder;

export const PERSON_KINDS = exhaustiveList<PersonKind>({ user_id: true, anonymous_id: true, fingerprint_uuid: true });

/** A person by an identifier. */
export interface PersonName {
  user: string;
  /** Any kind if absent. */
  kind?: PersonKind | undefined;
}

export const personQuery = (project: string, { user, kind }: PersonName) =>
  queryOptions({
    queryKey: ['people', project, user, kind ?? null],
    queryFn: async ({ signal }) =>
      (await api.getProjectUser({ signal, path: { id: project, user_id: user }, query: { ...(kind && { kind }) } }))
        .data,
  });

/** Returns the person of an event, by the identifier that takes precedence. */
export function personOf({ user_id, anonymous_id, fingerprint_uuid }: cabinet.SentUser): PersonName | null {
  if (user_id !== null) return { user: user_id, kind: 'user_id' };
  if (anonymous_id !== null) return { user: anonymous_id, kind: 'anonymous_id' };
  return fingerprint_uuid === null ? null : { user: fingerprint_uuid, kind: 'fingerprint_uuid' };
}

export const latestEventsQuery = (project: string, type: string | undefined) =>
  queryOptions({
    queryKey: ['events', project, 'latest', type ?? null],
    queryFn: async ({ signal }) =>
      (
        await api.listLatestProjectEvents({
          signal,
          path: { id: project },
          query: { limit: LATEST, ...(type !== undefined && { type }) },
        })
      ).data,
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });

export interface EventsOf {
  person?: { user: string; kind: PersonKind } | undefined;
  item?: string | undefined;
  type?: string | undefined;
}

/** The query for events of a person, of an item, or of both. */
export const eventsQuery = (project: string, { person, item, type }: EventsOf) =>
  infiniteQueryOptions({
    queryKey: ['events', project, { person: person ?? null, item: item ?? null, type: type ?? null }],
    queryFn: async ({ signal, pageParam }) =>
      (
        await api.listProjectEvents({
          signal,
          path: { id: project },
          query: {
            limit: PAGE,
            ...(person && { [person.kind]: person.user }),
            ...(item !== undefined && { item }),
            ...(type !== undefined && { type }),
            ...(pageParam !== '' && { cursor: pageParam }),
          },
        })
      ).data,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    // A user who has loaded more pages is reading older events, so polling stops.
    refetchInterval: ({ state: { data } }) => (data && data.pages.length > 1 ? false : LIVE_MS),
  });

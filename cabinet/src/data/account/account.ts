/** Queries about the signed-in user and that user's own data. */
import { queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';
import { RIGHTS_MS } from './rightsRefresh.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => (await api.getMe({ signal })).data,
  staleTime: RIGHTS_MS,
  refetchInterval: RIGHTS_MS,
});

export type Token = cabinet.Token;
export type Session = cabinet.Session;

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: async ({ signal }) => (await api.getSecondFactor({ signal })).data,
});

export const tokensQuery = pagesQuery(['tokens'], (asked) => api.listTokens(asked));

export const sessionsQuery = pagesQuery(['sessions'], (asked) => api.listSessions(asked));

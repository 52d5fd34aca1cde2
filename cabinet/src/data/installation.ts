/** The state of the installation, and the audit trail. */
import { queryOptions } from '@tanstack/react-query';
import type { AuditFilter } from './auditFilter.ts';
import { momentOf } from './auditFilter.ts';
import { api, type cabinet } from './client.ts';
import { pagesQuery } from './paginatedList.ts';

const LIVE_MS = 5_000;
const AWAITED_MS = 1_500;

export type Installation = cabinet.Installation;
export type InstallationPart = cabinet.InstallationPart;
export type InstallationWork = cabinet.InstallationWork;
export type WorkEntry = cabinet.WorkEntry;
export type AuditEntry = cabinet.AuditEntry;

export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: async ({ signal }) => (await api.getInstallation({ signal })).data,
  refetchInterval: LIVE_MS,
});

export const auditQuery = (filter: AuditFilter) => {
  const { project, site, user, operation, period } = filter;
  return pagesQuery(['audit', JSON.stringify(filter)], ({ signal, query }) =>
    api.listAudit({
      signal,
      query: {
        ...query,
        limit: 50,
        ...(project !== undefined && { project }),
        ...(site !== undefined && { site }),
        ...(user !== undefined && { user }),
        ...(operation !== undefined && { operation }),
        ...(period !== undefined && { since: momentOf(period, Date.now()) }),
      },
    }),
  );
};

export type ProviderCheck = cabinet.ProviderCheck;

/** Returns the time of the oldest of the last tests, since each result arrives on its own; empty if none was made. */
export function oldestTrial(checks: readonly ProviderCheck[] | undefined): string {
  return (checks ?? []).map(({ checked_at: at }) => at).toSorted()[0] ?? '';
}

/**
 * The query for the last test results of the analysis providers.
 * @param askedAfter time of the previous test if a new one was requested, which is then waited for; null otherwise
 */
export const providersQuery = (askedAfter: string | null) =>
  queryOptions({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => (await api.listProviders({ signal })).data.items,
    refetchInterval: ({ state: { data } }) =>
      askedAfter !== null && oldestTrial(data) === askedAfter ? AWAITED_MS : false,
  });

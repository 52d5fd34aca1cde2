/** The state of the installation, and the audit trail. */
import { queryOptions } from '@tanstack/react-query';
import type { AuditFilter } from './auditFilter.ts';
import { momentOf } from './auditFilter.ts';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';
import { LIVE_MS, UNFINISHED_MS } from '../pollingIntervals.ts';

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

/**
 * Returns whether the result of a requested test is still awaited. Each result arrives separately, much later if a
 * provider's server hangs. The clocks of browser and server may differ, so a result is new if its time has changed.
 * @param before the last results before the request; null if there was no request
 */
export function isAwaited({ capability, checked_at }: ProviderCheck, before: readonly ProviderCheck[] | null): boolean {
  return before?.some((old) => old.capability === capability && old.checked_at === checked_at) === true;
}

/**
 * Returns whether any result of a requested test is still awaited. If there were no results before, any result ends
 * it.
 */
export function areAwaited(
  checks: readonly ProviderCheck[] | undefined,
  before: readonly ProviderCheck[] | null,
): boolean {
  if (before === null) return false;
  return checks === undefined || checks.length === 0 || checks.some((check) => isAwaited(check, before));
}

/**
 * The query for the last test results of the analysis providers.
 * @param before the results before a requested test, whose results are then waited for; null otherwise
 */
export const providersQuery = (before: readonly ProviderCheck[] | null) =>
  queryOptions({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => (await api.listProviders({ signal })).data.items,
    refetchInterval: ({ state: { data } }) => (areAwaited(data, before) ? UNFINISHED_MS : false),
  });

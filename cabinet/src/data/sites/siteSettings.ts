/** Settings of a site, and the state of its tag. */
import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';
import { reportFieldsQuery } from '../report/reportFields.ts';
import { queryClient } from '../account/queryClient.ts';
import { sitesQuery, siteQuery, type Site } from '../account/tenants.ts';
import { LIVE_MS } from '../pollingIntervals.ts';

export type SiteKey = cabinet.SiteKey;
export type SiteStatus = cabinet.SiteStatus;

export const siteStatusQuery = (site: string) =>
  queryOptions({
    queryKey: ['site-status', site],
    queryFn: async ({ signal }) => (await api.getSiteStatus({ signal, path: { id: site } })).data,
    refetchInterval: LIVE_MS,
  });

/** The query for the tag snippet of a site. */
export const siteTagQuery = (site: string) =>
  queryOptions({
    queryKey: ['site-tag', site],
    queryFn: async ({ signal }) => (await api.getSiteTag({ signal, path: { id: site } })).data,
  });

export const siteKeysQuery = (site: string) =>
  pagesQuery(['site-keys', site], (asked) => api.listSiteKeys({ ...asked, path: { id: site } }));

/** Returns a change that depends on what the site is now, which others may have changed meanwhile. */
type SiteEdit = (newest: Site) => cabinet.SitePatch;

/**
 * Returns a mutation that changes a site and updates everything that shows it: reports too depend on its currency, its
 * rates and its time zone. Changes are sent one after the other, because each answer is shown as the state of the site.
 */
export function useSiteChange(site: Site) {
  return useMutation({
    scope: { id: `site ${site.id}` },
    mutationFn: async (change: cabinet.SitePatch | SiteEdit) => {
      const path = { id: site.id };
      const body = typeof change === 'function' ? change((await api.getSite({ path })).data) : change;
      return (await api.patchSite({ path, body })).data;
    },
    onSuccess: async (changed) => {
      queryClient.setQueryData(siteQuery(site.id).queryKey, changed);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey, exact: true }),
        queryClient.invalidateQueries({ queryKey: siteStatusQuery(site.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: siteTagQuery(site.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: reportFieldsQuery(site.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['reports', site.id] }),
      ]);
    },
  });
}

/** Sites as reports know them. */
import type { SiteSettings } from '../domain/sites.ts';
import type { ReportSite } from './request.ts';

/** What a report has to know of its site: no more goes to an engine. */
export function reportSiteOf({ siteId, clientId, timezone, currency, rates, goals }: SiteSettings): ReportSite {
  return {
    siteId,
    owner: clientId,
    timezone,
    currency,
    rates,
    goals: goals.map(({ code, title }) => ({ code, title })),
  };
}

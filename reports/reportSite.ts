/** Site data for reports. */
import type { SiteSettings } from '../domain/sites/siteSettings.ts';
import type { ReportSite } from './reportRequest.ts';

/** Returns the data that a report needs about its site; engines get nothing else. */
export function reportSiteOf({ siteId, ownerId, timezone, currency, rates, goals }: SiteSettings): ReportSite {
  return {
    siteId,
    ...(ownerId !== null && { owner: ownerId }),
    timezone,
    currency,
    rates,
    goals: goals.map(({ code, title }) => ({ code, title })),
  };
}

/** Traffic of sites and reports on it, for pages that show them. */
import type { ReportEngines } from '../../../reports/engines/index.ts';
import { createTestEngines } from '../../api/support/reportEngines.ts';
import { isInLake } from '../../loops/ingest/support/inbox.ts';
import { tellSite, type Told } from '../../reports/support/tell.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake } from '../../support/lake/lake.ts';

export interface SiteReports {
  engines: ReportEngines;
  /**
   * Sends events of a visitor on a site's pages in one request, also at past times.
   * @param userAgent the default is Firefox on Linux
   */
  tell(siteId: string, visitorId: string, told: readonly Told[], userAgent?: string): Promise<void>;
  /** Waits until reports and live figures include everything that was sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the ingest, a lake and engines on it. Close them before the database is dropped. */
export async function openSiteReports({ url, pool }: TestDatabase): Promise<SiteReports> {
  const lake = await openTestLake(url);
  const ingest = await startTestIngest(url, lake.settings, { lakeCommitMs: 100 });
  const engines = createTestEngines(lake.settings);
  return {
    engines,
    tell: (siteId, visitorId, told, userAgent) => tellSite(pool, siteId, visitorId, told, userAgent),
    async settled() {
      await eventually(() => isInLake(pool), 'all that was told');
    },
    async close() {
      await engines.close();
      await ingest.close();
      await lake.close();
    },
  };
}

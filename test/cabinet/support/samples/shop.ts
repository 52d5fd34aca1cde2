/** Some days of a small shop, always the same except for the dates. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { momentOfDay, plusDays, todayIn } from '../../../../cabinet/src/data/period.ts';
import { createTestGoal, createTestSite, type TestSite } from '../../../api/support/testSite.ts';
import type { Told } from '../../../reports/support/tell.ts';
import type { SiteReports } from '../siteReports.ts';

/** The time zone of test sites. */
const TIMEZONE = 'Europe/Moscow';
const HOUR = 3_600_000;
const MINUTE = 60_000;
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36';
const SEARCH = { referrer: 'https://www.google.com/' };

const view = (at: number, path: string, more: Partial<Told> = {}): Told => ({
  at,
  url: `https://shop.example${path}`,
  ...more,
});

/**
 * Creates a site with a goal `lead`. In the last 30 days: yesterday three visits from Google (two of them by
 * phone), one of which reaches the goal and buys for 1,500; and today a direct visit. In the 30 days before: one
 * visit from Google.
 */
export async function openShop({ tell, settled }: SiteReports, pool: pg.Pool): Promise<TestSite> {
  const site = await createTestSite(pool);
  await createTestGoal(pool, site.id, 'lead');
  const now = Date.now();
  // Noon, so that no visit lasts until midnight.
  const yesterday = Date.parse(momentOfDay(plusDays(todayIn(TIMEZONE), -1), TIMEZONE)) + 12 * HOUR;
  const order = { transaction_id: 't-1', revenue: 1500, currency: 'RUB', products: [] };
  await tell(site.id, randomUUID(), [
    view(yesterday, '/catalog/', SEARCH),
    view(yesterday + MINUTE, '/cart'),
    view(yesterday + 2 * MINUTE, '/cart', { type: 'goal', name: 'lead' }),
    view(yesterday + 2 * MINUTE, '/cart', { type: 'purchase', order }),
  ]);
  for (let phone = 0; phone < 2; phone++) await tell(site.id, randomUUID(), [view(yesterday, '/', SEARCH)], PHONE);
  await tell(site.id, randomUUID(), [view(now, '/about')]);
  await tell(site.id, randomUUID(), [view(now - 40 * 24 * HOUR, '/catalog/', SEARCH)]);
  await settled();
  return site;
}

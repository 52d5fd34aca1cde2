/** The sources of conversions by each model of attribution. All data goes through intake, ingest and lake. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ATTRIBUTIONS, type ReportSite } from '../../../reports/reportRequest.ts';
import { History } from '../support/history.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const AT = Date.parse('2026-01-15T09:00:00Z');
const MAIL = 'https://shop.example/?utm_source=news&utm_medium=email';

let history: History;
let site: ReportSite;
const visitor = randomUUID();

beforeAll(async () => {
  history = await History.open();
  site = await history.addSite({ goals: [{ code: 'lead', title: 'Lead', type: 'js', match: null, value: null }] });
  const lead = (at: number) => ({ at, type: 'goal' as const, name: 'lead' });
  // A direct visit, one from a mail with a goal, and a direct one with a goal.
  await history.tell(site, visitor, [{ at: AT }]);
  await history.tell(site, visitor, [{ at: AT + DAY, url: MAIL }, lead(AT + DAY + 1000)]);
  await history.tell(site, visitor, [{ at: AT + 2 * DAY }, lead(AT + 2 * DAY + 1000)]);
  await history.settled();
});
afterAll(async () => history?.close());

/** Returns the number of conversions by the source of their visit, for each model. */
async function conversionsBySource(): Promise<Record<string, Record<string, number>>> {
  const found: Record<string, Record<string, number>> = {};
  for (const attribution of ATTRIBUTIONS) {
    const { data } = await history.report(site, { dimensions: ['source_type'], metrics: ['conversions'], attribution });
    found[attribution] = Object.fromEntries(data.map(({ dimensions, metrics }) => [dimensions[0], metrics[0]]));
  }
  return found;
}

// proves: report-rules/attribution, report-rules/sources-kept
it('conversions have the source of their visit by each model, and keep it when the visitor comes from elsewhere', async () => {
  expect(await conversionsBySource()).toEqual({
    last: { email: 1, direct: 1 },
    last_significant: { email: 2 },
    first: { direct: 2 },
  });
  await history.tell(site, visitor, [{ at: AT + 3 * DAY, referrer: 'https://www.google.com/' }]);
  await history.settled();
  // The server reports one that is older than the newest source.
  await history.takeFacts(site, [
    {
      kind: 'conversion',
      at: AT + 3 * DAY + HOUR,
      record: {
        id: 'c-1',
        goal: 'lead',
        visitor_id: visitor,
        occurred_at: new Date(AT + DAY + HOUR).toISOString(),
      },
    },
  ]);
  await history.settled();
  expect(await conversionsBySource()).toEqual({
    last: { email: 2, direct: 1 },
    last_significant: { email: 3 },
    first: { direct: 3 },
  });
});

/** Rows with the longest labels that a site can send, through a real engine. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createLogger } from '../../../platform/process/logger.ts';
import { createReportEngines, type ReportEngines } from '../../../reports/engines/index.ts';
import type { Report } from '../../../reports/reportRequest.ts';
import { REPORT_LIMITS } from '../../../reports/validate/reportLimits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';

/** Maximum length of a URL (domain/schemas/collectRequest.ts). */
const LONGEST = 2_048;
const SITE = { siteId: 'site00000001', timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] };
const SOURCE = `{source_type: 'direct', source_name: null, search_engine: null, search_phrase: null, social_network: null, messenger: null, ai_assistant: null, ad_system: null,
  referrer_domain: null, referrer_url: null, utm_source: null, utm_medium: null, utm_campaign: null, utm_content: null, utm_term: null, click_id: null}`;
/** Each URL is different, and has letters of two bytes, as URLs may. */
const address = (end: string): string => `rpad('https://магазин.example/' || ${end} || '/', ${LONGEST}, 'ж')`;
/** As many visits as an answer may have rows, each of one page. */
const VISITS = `
  select '${SITE.siteId}' as site_id, uuid() as visit_id, uuid() as visitor_id, 17::smallint as visitor_bucket, timestamp '2026-03-15 12:00:00' as started_at, timestamp '2026-03-15 12:01:00' as ended_at,
         60.0 as duration_s, 1::smallint as weight, 1 as pageviews, 1 as weighted_pageviews, 1 as hits, 1 as weighted_hits, 0 as goals, false as is_bounce, false as is_robot, 1 as visit_number,
         timestamp '2026-03-15 12:00:00' as first_visit_at, ${address('i')} as entry_url, ${address("'last/' || i")} as exit_url, 'desktop' as device_type,
         ${SOURCE} as source_last, ${SOURCE} as source_last_significant, ${SOURCE} as source_first
    from range(${REPORT_LIMITS.rows}) r (i)`;

let database: TestDatabase;
let test: TestLake;
let engines: ReportEngines;

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
  await test.lake.query(`insert into lake.visits by name ${VISITS}`);
  const lake = { ...test.settings, tempDir: join(test.settings.tempDir, 'engines') };
  engines = createReportEngines(
    { lake, engines: 1, seconds: 120, sampleSeconds: 120, lateEventHours: 24, audienceMinPeople: 1 },
    createLogger('test', 'silent'),
  );
});
afterAll(async () => {
  await engines?.close();
  await test?.close();
  await database.drop();
});

const run = (...dimensions: string[]): Promise<Report> =>
  engines.run(
    {
      dimensions,
      metrics: ['visits'],
      date_from: '2026-03-15',
      date_to: '2026-03-15',
      filters: [],
      segment: null,
      attribution: 'last',
      robots: 'exclude',
      sort: [],
      limit: REPORT_LIMITS.rows,
      offset: 0,
    },
    SITE,
    { language: 'en' },
  );

describe('an answer with the longest addresses', () => {
  it('contains all rows in full', async () => {
    const { data, totals, sampled } = await run('entry_page');
    expect([data.length, totals, sampled]).toEqual([REPORT_LIMITS.rows, [REPORT_LIMITS.rows], false]);
    const labels = new Set(data.map(({ dimensions: [label] }) => label));
    expect([labels.size, [...labels].every((label) => typeof label === 'string' && label.length === LONGEST)]).toEqual([
      REPORT_LIMITS.rows,
      true,
    ]);
  });

  it('is refused if each row has two of them', async () => {
    await expect(run('entry_page', 'exit_page')).rejects.toThrow(
      expect.objectContaining({ name: 'ReportTooLargeError' }),
    );
  });
});

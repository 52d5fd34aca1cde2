/** Notes of reports on regions and cities without a city database. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { readServiceReport } from '../../../db/installation/serviceReports.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { startIngest } from '../../../loops/ingest/ingest.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import type { Language } from '../../../domain/language.ts';
import type { Note, ReportRequest } from '../../../reports/reportRequest.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';

const CITIES = fileURLToPath(new URL('../../loops/ingest/enrich/fixtures/nested.mmdb', import.meta.url));
const SITE = { siteId: newTenantId(), timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] };
const PLAIN: ReportRequest = {
  dimensions: [],
  metrics: ['visits'],
  date_from: '2026-03-01',
  date_to: '2026-03-31',
  filters: [],
  segment: null,
  attribution: 'last',
  robots: 'exclude',
  sort: [],
  limit: 100,
  offset: 0,
};

let database: TestDatabase;
let lake: TestLake;

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
});
beforeEach(async () => {
  await database.pool.query('delete from service_reports');
});
afterAll(async () => {
  await lake?.close();
  await database?.drop();
});

/** Runs an ingest until it has published the state on which reports rely. */
async function ingestOnce(cityDatabase: string | null): Promise<void> {
  const settings = {
    databaseUrl: database.url,
    lake: lake.settings,
    enrich: { cityDatabase, dataCentres: null },
    loops: 1,
    lakeCommitMs: 100,
  };
  const ingest = await startIngest(settings, createLogger('ingest', 'silent'), new Registry());
  try {
    await eventually(
      async () =>
        (await readServiceReport(database.pool, 'ingest'))?.report['cityDatabase'] === (cityDatabase !== null),
      'the report of the ingest',
    );
  } finally {
    await ingest.close();
  }
}

async function notesOf(request: Partial<ReportRequest>, language: Language = 'en'): Promise<Note[] | undefined> {
  const options = { language, sampled: false, lateEventHours: 24, audienceMinPeople: 1 };
  return (await runReport(lake.lake, { ...PLAIN, ...request }, SITE, options)).notes;
}

const MOSCOW = { dimension: 'city', op: 'eq', values: ['Moscow'] } as const;

describe('the notes of a report on regions or cities', () => {
  // proves: report/notes
  it('say that there is no city database, wherever the report names regions or cities', async () => {
    await ingestOnce(null);
    const expected = [{ code: 'no_city_database', message: expect.stringMatching(/^[ -~]+$/) }];
    expect(await notesOf({ dimensions: ['city'] })).toEqual(expected);
    expect(await notesOf({ dimensions: ['country', 'region'] })).toEqual(expected);
    expect(await notesOf({ filters: [MOSCOW] })).toEqual(expected);
    expect(await notesOf({ segment: { scope: 'visitor', condition: { all: [{ not: MOSCOW }] } } })).toEqual(expected);
    expect(await notesOf({ dimensions: ['city'] }, 'ru')).toEqual([
      { code: 'no_city_database', message: expect.stringMatching(/[а-я]/) },
    ]);
  });

  it("are absent if no city database is needed: for countries, or for a site's data about its people", async () => {
    await ingestOnce(null);
    expect(await notesOf({})).toBeUndefined();
    expect(await notesOf({ dimensions: ['country', 'continent'] })).toBeUndefined();
    expect(
      await notesOf({ dimensions: ['geo_person_city', 'geo_person_region'], metrics: ['people'] }),
    ).toBeUndefined();
  });

  // proves: report/notes
  it('are absent with a city database, and before an ingest has reported whether it has one', async () => {
    expect(await notesOf({ dimensions: ['city'] })).toBeUndefined();
    await ingestOnce(null);
    expect(await notesOf({ dimensions: ['city'] })).toHaveLength(1);
    await ingestOnce(CITIES);
    expect(await notesOf({ dimensions: ['city', 'region'] })).toBeUndefined();
  });
});

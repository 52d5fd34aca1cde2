/** An engine that opened the lake but did not become ready, as when PostgreSQL is killed at that moment. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '../../../platform/process/logger.ts';
import { createReportEngines } from '../../../reports/engines/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';

const ENTRY = new URL('support/child.ts', import.meta.url).pathname;

let database: TestDatabase;
let lake: TestLake;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  lake = await openTestLake(database.url);
  dir = await mkdtemp(join(tmpdir(), 'attune-engines-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await lake?.close();
  await database?.drop();
});

it('an engine that does not become ready leaves no folder', async () => {
  const tempDir = join(dir, 'cold');
  const settings = {
    lake: { ...lake.settings, tempDir },
    engines: 1,
    seconds: 60,
    sampleSeconds: 60,
    lateEventHours: 24,
    audienceMinPeople: 1,
  };
  const engines = createReportEngines(settings, createLogger('test', 'silent'), { entry: ENTRY });
  const report = engines.run(
    {
      dimensions: [],
      metrics: ['ok'],
      date_from: '2026-03-15',
      date_to: '2026-03-15',
      filters: [],
      segment: null,
      attribution: 'last',
      robots: 'exclude',
      sort: [],
      limit: 1,
      offset: 0,
    },
    { siteId: 'a', timezone: 'Europe/Moscow', currency: 'RUB', rates: {}, goals: [] },
    { language: 'en' },
  );
  await expect(report).rejects.toThrow(
    expect.objectContaining({ name: 'ReportsUnavailableError', message: expect.stringContaining('went away') }),
  );
  expect(await readdir(tempDir)).toEqual([]);
  await engines.close();
});

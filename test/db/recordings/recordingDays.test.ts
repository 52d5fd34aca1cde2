/** The day whose quota a recording counts towards, by a clock that the test sets: its now() hides PostgreSQL's own. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../../db/pool.ts';
import { beginRecording } from '../../../db/recordings/recordingIntake.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { createRecordingSite, createVisitor } from '../../api/support/recordings.ts';
import { createTestDatabase, PATIENT_POOL, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`create schema clock; create table clock.hands as select now() as at;
    create function clock.now() returns timestamptz stable language sql as 'select at from clock.hands'`);
  const url = new URL(database.url);
  url.searchParams.set('options', '-c search_path=clock,pg_catalog,public');
  pool = createPool({ databaseUrl: url.href, size: 1, applicationName: 'attune-test', ...PATIENT_POOL });
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

// proves: quotas/recordings
it('a day of recordings begins at midnight in Moscow', async () => {
  const { id: siteId } = await createRecordingSite(database.pool);
  const beginAt = async (moment: string): Promise<string | null> => {
    await database.pool.query('update clock.hands set at = $1', [moment]);
    const visitorId = await createVisitor(database.pool, siteId);
    const recording = { siteId, recordingId: randomUUID(), visitorId, userAgent: 'x' };
    return beginRecording(pool, recording, { ...DEFAULT_QUOTAS, recordings_per_day: 1 });
  };
  const moments = [
    '2026-03-14T21:00:00Z',
    '2026-03-15T20:59:59.999Z',
    '2026-03-15T21:00:00Z',
    '2026-03-16T00:00:00Z',
    '2026-03-16T21:00:00Z',
  ];
  const begun: (string | null)[] = [];
  for (const moment of moments) begun.push(await beginAt(moment));
  expect(begun).toEqual([null, 'day_full', null, 'day_full', null]);
  const { rows } = await database.pool.query(
    'select day::text as day from site_recordings where site_id = $1 order by 1',
    [siteId],
  );
  expect(rows.map(({ day }) => day)).toEqual(['2026-03-15', '2026-03-16', '2026-03-17']);
});

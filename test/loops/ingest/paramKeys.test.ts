/** Received keys of params are available to the builders of reports. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listParamKeys } from '../../../db/sites/paramKeys.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { addSite, collect, event, request } from './support/inbox.ts';

let database: TestDatabase;
let testLake: TestLake;
let running: RunningProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
  running = await startTestIngest(database.url, testLake.settings, { loops: 1 });
});
afterAll(async () => {
  await running?.close();
  await testLake?.close();
  await database.drop();
});

it('keys of params are recorded with the kind of their source', async () => {
  const site = await addSite(database.pool);
  const other = await addSite(database.pool);
  const at = Date.now() - 60_000;
  await collect(database.pool, [
    request(site, [
      event({ at, params: { plan: 'pro' } }),
      event({ at: at + 1, type: 'event', name: 'buy', params: { button: 'red', size: 3 } }),
      event({ at: at + 2, type: 'user', user: { user_id: 'u-1', params: { tier: 'gold' } } }),
    ]),
    request(other, [event({ at, params: { theirs: 1 } })]),
  ]);
  const keys = await eventually(async () => {
    const found = await listParamKeys(database.pool, site);
    return found.visitor.length > 0 ? found : null;
  }, 'the keys');
  expect(keys).toEqual({ visit: ['plan'], event: ['button', 'size'], visitor: ['tier'] });
});

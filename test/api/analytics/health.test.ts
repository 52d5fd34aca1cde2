import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAnalyticsHealthCheck } from '../../../api/analytics/healthCheck.ts';
import { createPool } from '../../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addToInbox, addVisitor } from '../../support/people/siteFacts.ts';
import { clientOf, startTestApi } from '../support/testApi.ts';
import { createTestSite } from '../support/testSite.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  await database.pool.query('truncate collect_inbox');
});

afterAll(async () => {
  await database?.drop();
});

const check = () => createAnalyticsHealthCheck({ pool: database.pool })();

async function addWaiting(seconds: number): Promise<void> {
  const { id } = await createTestSite(database.pool);
  await addToInbox(database.pool, id, await addVisitor(database.pool, id), {
    receivedAt: new Date(Date.now() - seconds * 1000),
  });
}

describe('the health of the analytics', () => {
  it('is ok with nothing to ingest, and with hits that have just arrived', async () => {
    expect(await check()).toEqual({ status: 'ok', reasons: [] });
    await addWaiting(1);
    expect(await check()).toEqual({ status: 'ok', reasons: [] });
  });

  // proves: analytics-endpoints/health
  it('is degraded when hits have waited for over a minute', async () => {
    await addWaiting(61);
    expect(await check()).toEqual({ status: 'degraded', reasons: ['hits are waiting to be ingested'] });
  });

  it('is degraded without a database, and is still answered', async () => {
    const pool = createPool({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', size: 1, applicationName: 'none' });
    expect(await createAnalyticsHealthCheck({ pool })()).toMatchObject({ status: 'degraded' });
    await pool.end();
  });

  // proves: analytics-auth/9, analytics-endpoints/health
  it('needs no key and shows only the state', async () => {
    const api = await startTestApi({ databaseUrl: database.url });
    try {
      const { status, body } = await clientOf(api.analytics, null)('GET', '/health');
      expect([status, body]).toEqual([200, { status: 'ok' }]);
    } finally {
      await api.close();
    }
  });

  // proves: analytics-endpoints/health
  it('is answered with 200 and degraded, without a key, while the database is unavailable', async () => {
    const api = await startTestApi({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    try {
      const { status, body } = await clientOf(api.analytics, null)('GET', '/health');
      expect([status, body]).toEqual([200, { status: 'degraded' }]);
    } finally {
      await api.close();
    }
  });
});

describe('the analytics API', () => {
  // proves: analytics/base-address
  it('is also served under /api/v1 of its own host', async () => {
    const api = await startTestApi({ databaseUrl: database.url, env: { ANALYTICS_HOST: '127.0.0.1' } });
    try {
      const { body } = await clientOf(`${api.origin}/api/v1`, null)('GET', '/openapi.json');
      expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/conversions', '/orders', '/users', '/health']));
    } finally {
      await api.close();
    }
  });
});

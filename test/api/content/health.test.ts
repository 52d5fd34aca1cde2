import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHealthCheck } from '../../../api/content/healthCheck.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import { writeServiceReport } from '../../../db/installation/serviceReports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { clientOf, createTestProject, startTestApi, type TestProject } from '../support/testApi.ts';
import { withoutTriggers } from '../../support/unstamped.ts';
import { addWebhook, recordEvent } from '../../support/webhooks/webhooks.ts';

let database: TestDatabase;
let project: TestProject;

const check = () => createHealthCheck({ pool: database.pool })();

beforeAll(async () => {
  database = await createTestDatabase();
  project = await createTestProject(database.pool);
});

afterEach(async () => {
  await database.pool.query('truncate items, webhooks cascade');
  await writeServiceReport(database.pool, 'relay', { temporalReachable: true });
});

afterAll(async () => {
  await database?.drop();
});

async function queueText(id: string): Promise<void> {
  const content = {
    type: 'text' as const,
    title: 'T',
    description: null,
    body: null,
    author: null,
    url: null,
    publishedAt: null,
    properties: null,
    media: [],
    available: true,
  };
  await putItem(database.pool, { projectId: project.id, itemId: id, content, origin: 'api', requestId: null });
  await withoutTriggers(database.pool, `update items set updated_at = now() - interval '11 minutes' where id = $1`, [
    id,
  ]);
}

describe('the health', () => {
  it('is degraded while no relay has ever reported', async () => {
    await database.pool.query('delete from service_reports');
    expect(await check()).toEqual({ status: 'degraded', reasons: ['the relay does not report'] });
  });

  // proves: endpoints/health
  it('is ok with a relay that reaches Temporal', async () => {
    expect(await check()).toEqual({ status: 'ok', reasons: [] });
  });

  it('is degraded when the relay cannot reach Temporal or has fallen silent', async () => {
    await writeServiceReport(database.pool, 'relay', { temporalReachable: false });
    expect((await check()).reasons).toEqual(['Temporal is unreachable']);
    await database.pool.query(
      `update service_reports set report = '{"temporalReachable": true}', updated_at = now() - interval '31 seconds'`,
    );
    expect((await check()).reasons).toEqual(['the relay does not report']);
  });

  // proves: endpoints/health
  it('is degraded when an analysis has been queued for over ten minutes', async () => {
    await queueText('old');
    expect((await check()).reasons).toEqual(['the analysis queue is overloaded']);
  });

  it('ignores deleted items and steps that wait for volume', async () => {
    await queueText('deleted');
    await queueText('waiting');
    await database.pool.query(`update items set deleted = true where id = 'deleted'`);
    // The state that the plan gives a text without units: no work on media, and an embedding that waits for the
    // summary.
    await database.pool.query(
      `update items set steps = (select jsonb_object_agg(step, case step when 'summary' then record || '{"state": "waiting"}' when 'embedding' then record
                                                                         else record || '{"state": "skipped"}' end) from jsonb_each(steps) as s (step, record)) where id = 'waiting'`,
    );
    expect((await check()).status).toBe('ok');
  });

  // proves: endpoints/health
  it('is degraded when a text has been stuck in its analysis for over an hour, or a video for over six', async () => {
    await queueText('text');
    await queueText('video');
    const age = (id: string, minutes: number) =>
      withoutTriggers(
        database.pool,
        `update items set status = 'processing', type = $2, updated_at = now() - $3::int * interval '1 minute' where id = $1`,
        [id, id, minutes],
      );
    await age('text', 59);
    await age('video', 359);
    expect(await check()).toEqual({ status: 'ok', reasons: [] });
    await age('video', 361);
    expect((await check()).reasons).toEqual(['items are stuck in the middle of their analysis']);
    await age('video', 1);
    await age('text', 61);
    expect((await check()).reasons).toEqual(['items are stuck in the middle of their analysis']);
  });

  describe('with a delivery that has waited for eleven minutes', () => {
    const STANDS = ['webhook deliveries are stuck'];
    const change = (set: string) => database.pool.query(`update deliveries set ${set}`);

    beforeEach(async () => {
      await addWebhook(database.pool, project.id, 'https://receiver.test/');
      await recordEvent(database.pool, project.id, 'an-item');
      await change(`created_at = now() - interval '11 minutes'`);
    });

    it('is degraded while nobody makes its first attempt', async () => {
      expect((await check()).reasons).toEqual(STANDS);
      await change('created_at = now()');
      expect((await check()).status).toBe('ok');
    });

    // proves: endpoints/health
    it('is degraded while nobody makes a due retry', async () => {
      await change(`lane = 'retry', attempt = 1, next_attempt_at = now() - interval '11 minutes'`);
      expect((await check()).reasons).toEqual(STANDS);
      await change(`next_attempt_at = now() + interval '1 hour'`);
      expect((await check()).status).toBe('ok');
    });

    it('is ok while others are being sent to the same slow address', async () => {
      await recordEvent(database.pool, project.id, 'another');
      await database.pool.query(
        `update deliveries set leased_until = now() + interval '30 seconds' where item_id = 'another'`,
      );
      expect((await check()).status).toBe('ok');
    });

    it('is ok while the address is down and first attempts are held', async () => {
      await database.pool.query(`update webhooks set held_until = now() + interval '5 minutes'`);
      expect((await check()).status).toBe('ok');
      await database.pool.query(`update webhooks set held_until = now() - interval '11 minutes'`);
      expect((await check()).reasons).toEqual(STANDS);
    });
  });

  it('is read from the database once for many requests', async () => {
    let queries = 0;
    const query = ((...args: Parameters<typeof database.pool.query>) => {
      queries += 1;
      return database.pool.query(...args);
    }) as typeof database.pool.query;
    const shared = createHealthCheck({ pool: { query } as typeof database.pool });
    await Promise.all(Array.from({ length: 50 }, () => shared()));
    expect(queries).toBe(3);
  });

  it('is reported once for each change', async () => {
    const told: string[][] = [];
    const watched = createHealthCheck({
      pool: database.pool,
      cacheMs: 0,
      onChange: ({ reasons }) => told.push(reasons),
    });
    await watched();
    await writeServiceReport(database.pool, 'relay', { temporalReachable: false });
    await watched();
    await watched();
    await writeServiceReport(database.pool, 'relay', { temporalReachable: true });
    await watched();
    expect(told).toEqual([['Temporal is unreachable'], []]);
  });

  // proves: endpoints/health, auth/4
  it('needs no key and reveals no reasons', async () => {
    const api = await startTestApi({ databaseUrl: database.url });
    // A report counts for half a minute, and the API may take that long to start.
    await writeServiceReport(database.pool, 'relay', { temporalReachable: true });
    const answer = await clientOf(api.content, null)('GET', '/health');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    await api.close();
  });
});

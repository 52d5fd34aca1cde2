/** Limits on the reports of one key: concurrent ones, and those of a minute. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limitOf } from '../../../api/analytics/keyLimits.ts';
import { insertSiteKey } from '../../../db/sites/siteKeys.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { DEFAULT_SITE_LIMITS } from '../../../domain/sites/siteLimits.ts';
import { eventually } from '../../support/eventually.ts';
import { createHeldReports } from '../support/heldReports.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, startTestApi, type Answer, type Client, type TestApi } from '../support/testApi.ts';
import { createTestSite } from '../support/testSite.ts';

const reports = createHeldReports();
reports.release();
const stage = stageApi({ reports });

const GOOD = { metrics: ['visits'], date_from: '2026-06-01', date_to: '2026-06-30' };
const ask = (body: unknown, client: Client): Promise<Answer> => client('POST', '/reports', body);
/** The client of the process that answers at once. */
const quick = (key: string): Client => clientOf(stage.api.analytics, key);

/** A second process of the installation, whose reports end when the test says so. */
let own: TestApi;
const held = createHeldReports();

describe('limits of reports', () => {
  beforeAll(async () => {
    own = await startTestApi({ databaseUrl: stage.database.url, reports: held });
  });
  afterAll(async () => {
    held.release();
    await own?.close();
  });

  const tried = async (answer: Promise<Answer>): Promise<[number, string | undefined, string | null]> => {
    const { status, headers, body } = await answer;
    return [status, body.error?.code, headers.get('retry-after')];
  };
  const asking = (key: string, client = clientOf(own.analytics, key)): Promise<Answer> => ask(GOOD, client);
  const next = (): number => held.asked.length;

  // proves: analytics-errors/429-reports, analytics-limits/reports-rate
  it('allow two at a time per key, and answer the third with 429 and Retry-After at once', async () => {
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 1_000 });
    const from = next();
    const first = asking(key);
    const one = await held.nth(from);
    const second = asking(key);
    const two = await held.nth(from + 1);
    expect(await tried(asking(key))).toEqual([429, 'rate_limited', '1']);
    one.finish();
    expect((await first).status).toBe(200);
    // Takes the slot that the ended report has freed.
    const third = asking(key);
    (await held.nth(from + 2)).finish();
    two.finish();
    expect((await Promise.all([second, third])).map(({ status }) => status)).toEqual([200, 200]);
  });

  // proves: analytics-limits/reports-rate
  it('apply across all processes, and to each key separately', async () => {
    const { id, key } = await createTestSite(stage.database.pool, {
      reports_per_minute: 1_000,
      reports_simultaneous: 1,
    });
    const another = newKey('site');
    await insertSiteKey(stage.database.pool, id, {
      kind: 'api',
      name: 'another',
      publicKey: null,
      ...storedKey(another),
    });
    const from = next();
    const first = asking(key);
    const one = await held.nth(from);
    // The other process answers admitted requests at once.
    expect(await tried(ask(GOOD, quick(key)))).toEqual([429, 'rate_limited', '1']);
    expect((await ask(GOOD, clientOf(stage.api.analytics, another))).status).toBe(200);
    one.finish();
    expect((await first).status).toBe(200);
    expect((await ask(GOOD, quick(key))).status).toBe(200);
  });

  // proves: analytics-rules/3
  it('free the slot of a report that fails or is refused', async () => {
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 1_000, reports_simultaneous: 1 });
    const client = clientOf(own.analytics, key);
    const from = next();
    const failing = asking(key);
    (await held.nth(from)).fail(new Error('a fault of ours'));
    expect((await failing).status).toBe(500);
    expect((await ask({ ...GOOD, metrics: ['smiles'] }, client)).status).toBe(422);
    for (const [index, name] of ['ReportTimeoutError', 'ReportsBusyError', 'ReportEngineDiedError'].entries()) {
      const asked = asking(key);
      (await held.nth(from + 1 + index)).fail(Object.assign(new Error('no report'), { name }));
      const [status, code, retryAfter] = await tried(asked);
      expect([name, status, code, Number(retryAfter) >= 1]).toEqual([name, 503, 'unavailable', true]);
    }
  });

  it('abandon the report of a client that disconnects, and free its slot', async () => {
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 1_000, reports_simultaneous: 1 });
    const controller = new AbortController();
    const from = next();
    const gone = clientOf(own.analytics, key)('POST', '/reports', GOOD, { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    const { signal } = await held.nth(from);
    expect(signal.aborted).toBe(false);
    controller.abort();
    expect(await gone).toMatchObject({ name: 'AbortError' });
    await eventually(() => signal.aborted, 'the end of the report');
    const again = await eventually(async () => {
      const answer = await ask(GOOD, quick(key));
      return answer.status === 429 ? null : answer;
    }, 'the freed slot');
    expect(again.status).toBe(200);
  });

  /** Sends pipelined report requests on one connection and never reads the answers. */
  function sendUnread(api: TestApi, key: string, count: number): Socket {
    const body = JSON.stringify(GOOD);
    const { pathname, port } = new URL(api.analytics);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.write(
      `POST ${pathname}/reports HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`.repeat(
        count,
      ),
    );
    return socket;
  }
  /** More than the socket buffers of a loopback connection hold. */
  const LARGE = { data: Array.from({ length: 900 }, () => ({ dimensions: ['x'.repeat(20_000)], metrics: [1] })) };
  const isFree = async (key: string): Promise<boolean> => (await ask(GOOD, quick(key))).status === 200;

  it('hold the slot of a large answer until it is read or abandoned', async () => {
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 1_000, reports_simultaneous: 1 });
    const from = next();
    const reader = sendUnread(own, key, 1);
    (await held.nth(from)).finish(LARGE);
    // The answer has begun, and nobody reads the rest.
    await once(reader, 'readable');
    expect(await tried(ask(GOOD, quick(key)))).toEqual([429, 'rate_limited', '1']);
    reader.destroy();
    await eventually(() => isFree(key), 'the freed slot');
    const read = asking(key);
    (await held.nth(from + 1)).finish(LARGE);
    expect((await read).body.data).toHaveLength(900);
    await eventually(() => isFree(key), 'the freed slot');
  });

  it('hold the slot only while somebody reads', async () => {
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 1_000, reports_simultaneous: 1 });
    const impatient = await startTestApi({ databaseUrl: stage.database.url, reports: held, answerSilenceMs: 300 });
    try {
      const from = next();
      const reader = sendUnread(impatient, key, 1);
      (await held.nth(from)).finish(LARGE);
      await once(reader, 'readable');
      expect(await eventually(() => isFree(key), 'the freed slot')).toBe(true);
      reader.destroy();
    } finally {
      await impatient.close();
    }
  });

  it('free the slots of all requests of a connection that closes, including those that wait behind another', async () => {
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 1_000, reports_simultaneous: 2 });
    const from = next();
    const client = sendUnread(own, key, 2);
    const signals = [(await held.nth(from)).signal, (await held.nth(from + 1)).signal];
    client.destroy();
    await eventually(() => signals.every(({ aborted }) => aborted), 'the end of both reports');
    expect(await eventually(() => isFree(key), 'the freed slots')).toBe(true);
  });

  // proves: analytics-limits/reports-rate
  it('allow 60 in any 60 seconds per key, across all processes and apart from its other requests', async () => {
    const { key } = await createTestSite(stage.database.pool, {});
    const clients = [quick(key), clientOf(own.analytics, key)];
    const statuses: number[] = [];
    const started = performance.now();
    for (let index = 0; index < 64; index++)
      statuses.push((await ask({ ...GOOD, limit: 0 }, clients[index % 2] ?? quick(key))).status);
    // None of the sixty is a minute old yet, so the limit has admitted no others meanwhile.
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(statuses.filter((status) => status === 422)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429, 429, 429]);
    const refused = await ask(GOOD, quick(key));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect((await quick(key)('POST', '/conversions', { conversions: [] })).status).toBe(202);
    expect(limitOf({ keyId: 'k', limits: DEFAULT_SITE_LIMITS }, { path: '/reports' })).toEqual({
      key: 'site-key/k/reports',
      limit: { most: 60, seconds: 60 },
    });
  });

  it('answer 429 with Retry-After above the limit per minute', async () => {
    // One report in a thousand minutes, so that a slow machine earns no token.
    const { key } = await createTestSite(stage.database.pool, { reports_per_minute: 0.001 });
    expect((await ask(GOOD, quick(key))).status).toBe(200);
    const [status, code, retryAfter] = await tried(ask(GOOD, quick(key)));
    expect([status, code]).toEqual([429, 'rate_limited']);
    expect(Number(retryAfter)).toBeGreaterThan(1);
  });
});

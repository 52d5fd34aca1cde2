/** The relay's reaction to a Temporal that refuses, and to one that does not answer. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { Registry } from 'prom-client';
import { enqueue } from '../../../db/jobs/outbox.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { dispatchBatch, type DispatchDeps } from '../../../loops/relay/dispatch.ts';
import { createRelayMetrics } from '../../../loops/relay/metrics.ts';
import { TemporalHealth } from '../../../loops/relay/temporalHealth.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

const PROJECT = 'p23456789012';
/** Longer than the maximum length of a workflow id. */
const REFUSED = 'x'.repeat(2_000);

let database: TestDatabase;
let temporal: TestTemporal;
let registry: Registry;
let lines: { level: string; msg: string; workflowId?: string; refusals?: number }[];
let opened: Connection[];

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
});
afterAll(async () => {
  await temporal.close();
  await database.drop();
});
beforeEach(() => {
  registry = new Registry();
  lines = [];
  opened = [];
});
afterEach(async () => {
  for (const connection of opened) await connection.close();
  await database.pool.query('delete from outbox');
});

function depsFor(address: string, handoverMs: number): DispatchDeps {
  const connection = Connection.lazy({ address });
  opened.push(connection);
  return {
    pool: database.pool,
    client: new Client({ connection, namespace: temporal.namespace }),
    health: new TemporalHealth(connection),
    metrics: createRelayMetrics(registry, database.pool),
    handoverMs,
    logger: createLogger('test', 'warn', { write: (line: string) => lines.push(JSON.parse(line)) }),
  };
}

const add = (...ids: string[]): Promise<void> =>
  enqueue(
    database.pool,
    ids.map((entityId) => ({ kind: 'item', projectId: PROJECT, entityId, priority: PRIORITY.single, requestId: null })),
  );

const readRows = async (): Promise<unknown[]> =>
  (
    await database.pool.query(
      `select entity_id, refusals, available_at <= now() + interval '2 seconds' as soon from outbox order by id`,
    )
  ).rows;

async function metric(name: string): Promise<unknown> {
  const found = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
  return Object.fromEntries(
    (found?.values ?? []).map(({ labels, value }) => [Object.values(labels).join() || 'value', value]),
  );
}

describe('a row that Temporal refuses', () => {
  it('does not make the health degraded, and is deferred longer each time', async () => {
    const deps = depsFor(temporal.address, 10_000);
    deps.health.markUnreachable();
    await add(REFUSED);
    for (let time = 0; time < 3; time += 1) {
      await database.pool.query('update outbox set available_at = now()');
      expect(await dispatchBatch(deps)).toBe(0);
    }
    expect(deps.health.reachable).toBe(true);
    expect(await readRows()).toEqual([{ entity_id: REFUSED, refusals: 3, soon: false }]);
    expect(await metric('attune_outbox_not_taken_total')).toEqual({ refused: 3, unanswered: 0 });
    expect(lines.map(({ level, refusals }) => [level, refusals])).toEqual([
      ['warn', 1],
      ['warn', 2],
      ['warn', 3],
    ]);
  });

  it('is logged loudly and counted past ten refusals, and no longer hides how long the others wait', async () => {
    const deps = depsFor(temporal.address, 10_000);
    await add(REFUSED);
    await database.pool.query(`update outbox set refusals = 10, created_at = now() - interval '1 hour'`);
    expect(await metric('attune_outbox_refused_rows')).toEqual({ value: 0 });
    expect(((await metric('attune_outbox_lag_seconds')) as { value: number }).value).toBeGreaterThanOrEqual(3_600);
    await dispatchBatch(deps);
    expect(lines).toMatchObject([{ level: 'error', refusals: 11, workflowId: `item/${PROJECT}/${REFUSED}` }]);
    expect(await metric('attune_outbox_refused_rows')).toEqual({ value: 1 });
    expect(await metric('attune_outbox_lag_seconds')).toEqual({ value: 0 });
    await add('waits');
    await database.pool.query(`update outbox set created_at = now() - interval '1 minute' where entity_id = 'waits'`);
    expect(((await metric('attune_outbox_lag_seconds')) as { value: number }).value).toBeGreaterThanOrEqual(60);
  });

  it('does not delay rows that are accepted', async () => {
    const deps = depsFor(temporal.address, 10_000);
    await add('one', REFUSED, 'two');
    expect(await dispatchBatch(deps)).toBe(2);
    expect(await metric('attune_outbox_handed_over_total')).toMatchObject({ item: 2, delivery: 0 });
    expect(await readRows()).toMatchObject([{ entity_id: REFUSED }]);
  });
});

describe('a Temporal that accepts connections and never answers', () => {
  let server: Server;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((socket) => sockets.add(socket.on('error', () => socket.destroy())));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('gets its time and no more; the rows come back soon and none counts as refused', async () => {
    const deps = depsFor(`127.0.0.1:${(server.address() as AddressInfo).port}`, 400);
    await add('one', 'two');
    const began = performance.now();
    expect(await dispatchBatch(deps)).toBe(0);
    expect(performance.now() - began).toBeLessThan(9_000); // the default is 10 s
    expect(deps.health.reachable).toBe(false);
    expect(await readRows()).toEqual([
      { entity_id: 'one', refusals: 0, soon: true },
      { entity_id: 'two', refusals: 0, soon: true },
    ]);
    expect(await metric('attune_outbox_not_taken_total')).toEqual({ refused: 0, unanswered: 2 });
    expect(lines).toMatchObject([{ level: 'warn', msg: 'Temporal did not answer' }]);
  });
});

describe('the gauges', () => {
  it('have no series while the database does not answer', async () => {
    createRelayMetrics(registry, { query: () => Promise.reject(new Error('away')) });
    expect([await metric('attune_outbox_lag_seconds'), await metric('attune_outbox_refused_rows')]).toEqual([{}, {}]);
  });
});

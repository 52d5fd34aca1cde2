import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { Registry } from 'prom-client';
import { claimEntries, type OutboxKind } from '../../../db/jobs/outbox.ts';
import { inTransaction } from '../../../db/pool.ts';
import { readServiceReport } from '../../../db/installation/serviceReports.ts';
import { itemWorkflowId } from '../../../domain/jobs/ids.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { WakeUp } from '../../../platform/process/concurrency/wakeUp.ts';
import { dispatchBatch, dispatchForever, type DispatchDeps } from '../../../loops/relay/dispatch.ts';
import { ItemSignalThrottle, PACE_MS } from '../../../loops/relay/itemSignalThrottle.ts';
import { createRelayMetrics } from '../../../loops/relay/metrics.ts';
import { startWorkflow } from '../../../loops/relay/startWorkflow.ts';
import { TemporalHealth } from '../../../loops/relay/temporalHealth.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcpProxy.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

const PROJECT = 'p23456789012';

let database: TestDatabase;
let temporal: TestTemporal;
let proxy: TcpProxy;
let connection: Connection;
let deps: DispatchDeps & { health: TemporalHealth };

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
});
afterAll(async () => {
  await temporal.close();
  await database.drop();
});
beforeEach(async () => {
  proxy = await startTcpProxy(temporal.address);
  connection = Connection.lazy({ address: proxy.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  deps = {
    pool: database.pool,
    client,
    health: new TemporalHealth(connection),
    logger: createLogger('test', 'silent'),
  };
});
afterEach(async () => {
  await connection.close();
  await proxy.close();
  await database.pool.query('delete from outbox');
});

async function enqueue(entityId: string, kind: OutboxKind = 'item', priority: number = PRIORITY.single): Promise<void> {
  await database.pool.query(
    'insert into outbox (kind, project_id, entity_id, priority, request_id) values ($1, $2, $3, $4, $5)',
    [kind, PROJECT, entityId, priority, 'req-1'],
  );
}

async function rows(): Promise<{ entity_id: string; attempts: number; later: boolean }[]> {
  return (
    await database.pool.query('select entity_id, attempts, available_at > created_at as later from outbox order by id')
  ).rows;
}

async function signalsOf(itemId: string): Promise<number> {
  const { events } = await temporal.client.workflow.getHandle(itemWorkflowId(PROJECT, itemId)).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

describe('a row of the outbox', () => {
  it("starts the item's workflow, findable by tenant, kind and id, and leaves the outbox", async () => {
    await enqueue('first');
    expect(await dispatchBatch(deps)).toBe(1);
    expect(await rows()).toEqual([]);
    const { searchAttributes, memo, status } = await temporal.client.workflow
      .getHandle(itemWorkflowId(PROJECT, 'first'))
      .describe();
    expect(searchAttributes).toMatchObject({ AttuneTenant: [PROJECT], AttuneKind: ['item'], AttuneEntity: ['first'] });
    expect([memo, status.name]).toEqual([{ requestId: 'req-1' }, 'RUNNING']);
    expect(await dispatchBatch(deps)).toBe(0);
  });

  it('signals a workflow that is already running', async () => {
    for (let times = 0; times < 3; times += 1) {
      await enqueue('again');
      await dispatchBatch(deps);
    }
    expect(await signalsOf('again')).toBe(3);
  });

  it('is handed over with the others of its item, as one signal', async () => {
    for (let times = 0; times < 30; times += 1) await enqueue('often');
    expect(await dispatchBatch(deps)).toBe(30);
    expect([await signalsOf('often'), await rows()]).toEqual([1, []]);
  });

  it('waits if its item was signalled a moment ago, and delays no other', async () => {
    let now = 0;
    const throttle = new ItemSignalThrottle(() => now);
    for (const id of ['paced', 'paced', 'neighbour']) {
      await enqueue(id);
      expect(await dispatchBatch({ ...deps, throttle })).toBe(1);
    }
    expect(throttle.isWaitedFor()).toBe(true);
    expect(await rows()).toEqual([{ entity_id: 'paced', attempts: 0, later: true }]);
    now += PACE_MS;
    await database.pool.query('update outbox set available_at = now()');
    expect(await dispatchBatch({ ...deps, throttle })).toBe(1);
    expect([await signalsOf('paced'), await rows()]).toEqual([2, []]);
  });

  it('overtakes a whole batch of rows whose items were signalled a moment ago', async () => {
    const throttle = new ItemSignalThrottle(() => 0);
    const told = Array.from({ length: 50 }, (_, index) => `told-${index}`);
    for (const id of told) await enqueue(id);
    await dispatchBatch({ ...deps, throttle });
    for (const id of [...told, 'behind']) await enqueue(id);
    let isOver = false;
    const bell = new WakeUp();
    const leftAtRest = Promise.withResolvers<string[]>();
    bell.sleep = async () => {
      isOver = true;
      leftAtRest.resolve((await rows()).map((row) => row.entity_id));
    };
    await dispatchForever({ ...deps, throttle }, bell, () => isOver);
    expect(await leftAtRest.promise).toEqual(told);
  });

  it.each([
    ['Chinese', '語'.repeat(191)],
    ['emoji', '\u{1F600}'.repeat(191)],
    ['Russian', 'я'.repeat(191)],
    ['slashes and line ends', 'a/b\n\tc'],
  ])('is handed over whatever characters the id of its item contains: %s', async (_, itemId) => {
    await enqueue(itemId);
    expect(await dispatchBatch(deps)).toBe(1);
    expect(await signalsOf(itemId)).toBe(1);
  });

  it('neither delays the others nor makes Temporal count as unreachable if Temporal will never accept it', async () => {
    await enqueue('x'.repeat(2_000));
    await enqueue('neighbour');
    expect(await dispatchBatch(deps)).toBe(1);
    expect(await rows()).toEqual([{ entity_id: 'x'.repeat(2_000), attempts: 1, later: true }]);
    await database.pool.query('update outbox set available_at = now()');
    expect(await dispatchBatch(deps)).toBe(0);
    expect(deps.health.reachable).toBe(true);
  });

  it('does not delay the others if it is malformed', async () => {
    await enqueue('no-uuid', 'delivery');
    await enqueue('sensible');
    expect(await dispatchBatch(deps)).toBeGreaterThanOrEqual(1);
    expect((await rows()).map((row) => row.entity_id)).not.toContain('sensible');
  });

  it('is handed over again after a crash, to the workflow that is already running', async () => {
    await enqueue('crash');
    await expect(
      inTransaction(database.pool, async (transaction) => {
        for (const entry of await claimEntries(transaction, 10)) await startWorkflow(deps.client, entry);
        throw new Error('the relay dies here');
      }),
    ).rejects.toThrow('dies');
    const first = await temporal.client.workflow.getHandle(itemWorkflowId(PROJECT, 'crash')).describe();
    expect(await dispatchBatch(deps)).toBe(1);
    expect(await rows()).toEqual([]);
    expect((await temporal.client.workflow.getHandle(itemWorkflowId(PROJECT, 'crash')).describe()).runId).toBe(
      first.runId,
    );
  });
});

describe('without Temporal', () => {
  /** Shortens the wait for answers that never arrive. Batches that Temporal answers keep the default limit. */
  const HURRIED = { handoverMs: 1_500 };

  it('rows stay in the outbox and Temporal is reported as unreachable, until it is back', async () => {
    await deps.health.report(database.pool);
    expect((await readServiceReport(database.pool, 'relay'))?.report).toMatchObject({ temporalReachable: true });
    proxy.mode = 'cut';
    proxy.breakConnections();
    await enqueue('down');
    expect(await dispatchBatch({ ...deps, ...HURRIED })).toBe(0);
    expect(deps.health.reachable).toBe(false);
    expect(await rows()).toEqual([{ entity_id: 'down', attempts: 1, later: true }]);
    await deps.health.report(database.pool);
    expect((await readServiceReport(database.pool, 'relay'))?.report).toMatchObject({ temporalReachable: false });
    proxy.mode = 'open';
    await database.pool.query('update outbox set available_at = now()');
    await eventually(async () => {
      await database.pool.query('update outbox set available_at = now()');
      return (await dispatchBatch(deps)) === 1;
    }, 'the row to be taken');
    expect(deps.health.reachable).toBe(true);
    await deps.health.report(database.pool);
    expect((await readServiceReport(database.pool, 'relay'))?.report).toMatchObject({ temporalReachable: true });
  });

  it('the batch still ends if Temporal accepts connections and stays silent', async () => {
    await enqueue('warm');
    await dispatchBatch(deps);
    proxy.mode = 'silent';
    await enqueue('silent');
    const began = performance.now();
    expect(await dispatchBatch({ ...deps, ...HURRIED })).toBe(0);
    expect(performance.now() - began).toBeLessThan(9_000); // the default is 10 s
    expect(await rows()).toEqual([{ entity_id: 'silent', attempts: 1, later: true }]);
    expect(deps.health.reachable).toBe(false);
  });
});

describe('two relays', () => {
  it('share the rows, each of which is handed over once', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `shared-${index}`);
    await database.pool.query(
      `insert into outbox (kind, project_id, entity_id, priority) select 'item', $1, unnest($2::text[]), 4`,
      [PROJECT, ids],
    );
    let isOver = false;
    const bells = [new WakeUp(), new WakeUp()];
    const metrics = createRelayMetrics(new Registry(), database.pool);
    const loops = bells.map((bell) => dispatchForever({ ...deps, metrics }, bell, () => isOver));
    await eventually(async () => (await rows()).length === 0, 'an empty outbox');
    isOver = true;
    for (const bell of bells) bell.ring();
    await Promise.all(loops);
    const { values } = await metrics.handedOver.get();
    expect(values).toContainEqual({ labels: { kind: 'item' }, value: ids.length });
    // Not exactly one: on a busy machine Temporal may accept a signal and fail to answer in time.
    for (const id of ids) expect(await signalsOf(id)).toBeGreaterThanOrEqual(1);
  });
});

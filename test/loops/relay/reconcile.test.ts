import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import pg from 'pg';
import { Registry } from 'prom-client';
import { openJob } from '../../../db/jobs/jobs.ts';
import { OUTBOX_CHANNEL } from '../../../db/jobs/outbox.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import { JOB_KINDS } from '../../../domain/jobs/jobs.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createRelayMetrics } from '../../../loops/relay/metrics.ts';
import { Reconciler, startReconciling } from '../../../loops/relay/reconcile.ts';
import { TemporalHealth } from '../../../loops/relay/temporalHealth.ts';
import { relayOnce } from '../../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestProject, textItem } from '../../support/project.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { withoutTriggers } from '../../support/unstamped.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let temporal: TestTemporal;
let projectId: string;
let now: number;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
});
afterAll(async () => {
  await temporal.close();
  await database.drop();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  now = 0;
});
afterEach(() => database.pool.query('truncate outbox, items, webhooks, jobs cascade'));

/** Returns a pass of a new relay, which treats everything as new; keep it to continue where it ended. */
function reconciler(client = temporal.client, pool = database.pool): Reconciler {
  return new Reconciler({
    pool,
    client,
    metrics: createRelayMetrics(new Registry(), pool),
    logger: createLogger('test', 'silent'),
    now: () => now,
  });
}

async function put(itemId: string): Promise<void> {
  await putItem(database.pool, {
    projectId,
    itemId,
    content: textItem(),
    origin: 'api',
    requestId: `request of ${itemId}`,
  });
}

/** Adds items that have waited for an hour. */
const putMany = (count: number): Promise<unknown> =>
  withoutTriggers(
    database.pool,
    `insert into items (project_id, id, type, published_at, origin, available, revision, status, steps, created_at, updated_at)
     select $1, 'many-' || n, 'text', now(), 'api', true, 1, 'queued', '{}', now(), now() - interval '1 hour' from generate_series(1, $2::int) n`,
    [projectId, count],
  );

/** The answer of a Temporal that was emptied. */
const isLost = (workflowId: string): Error => new WorkflowNotFoundError('not found', workflowId, undefined);

const forgetOutbox = (): Promise<unknown> => database.pool.query('delete from outbox');
/** Ages the items by a few minutes. */
const rest = (minutes = 5): Promise<unknown> =>
  withoutTriggers(database.pool, `update items set updated_at = now() - $1::int * interval '1 minute'`, [minutes]);
const listOutbox = async (): Promise<{ kind: string; entity_id: string; request_id: string | null }[]> =>
  (await database.pool.query('select kind, entity_id, request_id from outbox order by entity_id')).rows;

/** Defers speech until `minutes` minutes from now; dependent steps are queued. */
const deferSpeech = (itemId: string, minutes: number): Promise<unknown> =>
  database.pool.query(
    `update items set status = 'deferred', steps = steps
     || jsonb_build_object('prepare', steps -> 'prepare' || '{"state": "done"}', 'vision', steps -> 'vision' || '{"state": "done"}',
          'speech', steps -> 'speech' || jsonb_build_object('state', 'deferred', 'retryAt', to_char((now() + $2::int * interval '1 minute') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    where id = $1`,
    [itemId, minutes],
  );

describe('the reconciler', () => {
  it('puts lost work back, with its request id, and nothing else', async () => {
    await put('running');
    await relayOnce(database.pool, temporal.client);
    await put('lost');
    await put('fresh');
    await forgetOutbox();
    await put('waits-in-the-outbox');
    await rest();
    await database.pool.query(`update items set updated_at = now() where id = 'fresh'`);
    expect(await reconciler().pass()).toBe(1);
    expect((await listOutbox()).map((row) => row.entity_id)).toEqual(['lost', 'waits-in-the-outbox']);
    expect((await listOutbox())[0]).toEqual({ kind: 'item', entity_id: 'lost', request_id: 'request of lost' });
    expect(await reconciler().pass()).toBe(0);
  });

  it('wakes the relay', async () => {
    await put('lost');
    await forgetOutbox();
    await rest();
    const listener = new pg.Client({ connectionString: database.url });
    let rung = 0;
    await listener.connect();
    listener.on('notification', () => (rung += 1));
    await listener.query(`listen ${OUTBOX_CHANNEL}`);
    await reconciler().pass();
    expect(await eventually(() => rung === 1, 'the notification')).toBe(true);
    await listener.end();
  });

  it('does not ask about items that only wait for their time, except once an hour', async () => {
    const asked = countingClient();
    const relay = reconciler(asked.client);
    await relay.pass();
    await put('not-due');
    await put('due');
    await forgetOutbox();
    await deferSpeech('not-due', 600);
    await deferSpeech('due', -5);
    await rest();
    expect(await relay.pass()).toBe(1);
    expect((await listOutbox()).map((row) => row.entity_id)).toEqual(['due']);
    expect(asked.ids()).toEqual([`item/${projectId}/due`]);
    now += HOUR_MS;
    expect(await relay.pass()).toBe(1);
    expect((await listOutbox()).map((row) => row.entity_id)).toEqual(['due', 'not-due']);
    await relay.pass();
    expect(asked.ids()).toHaveLength(2);
  });

  it('continues if Temporal cannot answer about some of the work', async () => {
    for (let index = 0; index < 60; index += 1) await put(`item-${index}`);
    await forgetOutbox();
    await rest();
    const asked = countingClient((id) => (id.endsWith('0') ? new Error('cannot tell') : null));
    await reconciler(asked.client).pass();
    expect(await listOutbox()).toHaveLength(54);
  });

  it('stops when Temporal falls silent, and continues from there', async () => {
    for (let index = 0; index < 60; index += 1) await put(`item-${index}`);
    await forgetOutbox();
    await rest();
    let isSilent = true;
    const asked = countingClient(() => (isSilent ? Object.assign(new Error('no answer'), { code: 14 }) : null));
    const relay = reconciler(asked.client);
    expect(await relay.pass()).toBe(0);
    expect(asked.ids().length).toBeLessThanOrEqual(100); // a page of due items and one of all
    isSilent = false;
    expect(await relay.pass()).toBe(60);
  });

  it('checks 2,000 rows in a pass and remembers its position', async () => {
    await putMany(2_100);
    // All are running according to this Temporal: none is put back, and each is checked again in every round.
    const asked = countingClient(() => 'running');
    const relay = reconciler(asked.client);
    now = HOUR_MS;
    await relay.pass();
    const first = asked.ids();
    expect(new Set(first).size).toBe(2_000);
    await relay.pass();
    expect(new Set(asked.ids()).size).toBe(2_100);
  });

  it('continues soon if it could not put back all lost work, although a pass is usually an hour away', async () => {
    await putMany(2_100);
    const reconciling = startReconciling(
      {
        pool: database.pool,
        client: countingClient(isLost).client,
        health: new TemporalHealth(temporal.client.connection as Connection),
        logger: createLogger('test', 'silent'),
        intervalMs: HOUR_MS,
        behindMs: 10,
      },
      () => false,
    );
    const taken = new Set<string>();
    const takeAll = async (): Promise<true | null> => {
      const { rows } = await database.pool.query<{ id: string }>('delete from outbox returning entity_id as id');
      for (const { id } of rows) taken.add(id);
      return taken.size === 2_100 || null;
    };
    const end = eventually(takeAll, 'all of the lost work').finally(() => reconciling.close());
    await expect(end).resolves.toBe(true);
  });

  it('puts lost work back as fast as the outbox empties, and a page otherwise', async () => {
    await putMany(2_200);
    const relay = reconciler(countingClient(isLost).client);
    // The items that are due, until the outbox is full, and a page of the hourly round.
    expect([await relay.pass(), relay.isBehind]).toEqual([2_050, true]);
    expect([await relay.pass(), relay.isBehind]).toEqual([100, true]);
    await forgetOutbox();
    expect([await relay.pass(), relay.isBehind]).toEqual([100, false]);
  });

  it('finds overdue retries of deliveries, once', async () => {
    await database.pool.query(
      `with w as (insert into webhooks (project_id, url, events, secret) values ($1, 'https://receiver.test/', '{item.processed}', '') returning *)
       insert into deliveries (project_id, webhook_id, event, item_id, item, lane, attempt, next_attempt_at, request_id)
       select project_id, id, 'item.processed', 'a', '{}', 'retry', 1, now() - due * interval '1 minute', 'r' from w, unnest(array[-1, 0, 2]) as due`,
      [projectId],
    );
    expect(await reconciler().pass()).toBe(1);
    expect(await listOutbox()).toMatchObject([{ kind: 'delivery', request_id: 'r' }]);
    expect(await reconciler().pass()).toBe(0);
  });

  it('finds jobs of any kind that have been open for a minute and that nobody runs', async () => {
    const open = (entityId: string, minutes: number, kind = 'user-link') =>
      database.pool.query(
        `insert into jobs (project_id, kind, entity_id, priority, request_id, created_at) values ($1, $2, $3, 4, 'request of ' || $3, now() - $4::int * interval '1 minute')`,
        [projectId, kind, entityId, minutes],
      );
    await openJob(database.pool, { kind: 'user-link', projectId, entityId: 'running', priority: 4, requestId: null });
    await relayOnce(database.pool, temporal.client);
    await database.pool.query(`update jobs set created_at = now() - interval '5 minutes'`);
    for (const [n, kind] of JOB_KINDS.entries()) await open(`lost-${n}`, 2, kind);
    await open('fresh', 0);
    await open('waits-in-the-outbox', 2);
    await database.pool.query(
      `insert into outbox (kind, project_id, entity_id, priority) values ('user-link', $1, 'waits-in-the-outbox', 4)`,
      [projectId],
    );
    expect(await reconciler().pass()).toBe(JOB_KINDS.length);
    const put = (await listOutbox()).filter(({ entity_id: id }) => id.startsWith('lost-'));
    expect(put).toEqual(
      JOB_KINDS.map((kind, n) => ({ kind, entity_id: `lost-${n}`, request_id: `request of lost-${n}` })),
    );
    expect(await reconciler().pass()).toBe(0);
  });

  it('leaves the work to a relay that is already running it', async () => {
    await put('lost');
    await forgetOutbox();
    await rest();
    let inside: number | null = null;
    const second = reconciler();
    const asked = countingClient(
      () => null,
      async () => {
        inside ??= await second.pass();
      },
    );
    expect(await reconciler(asked.client).pass()).toBe(1);
    expect(inside).toBe(0);
  });

  it('ends after the current page when it is stopped', async () => {
    await put('lost');
    await forgetOutbox();
    await rest();
    expect(await reconciler().pass(() => true)).toBe(0);
  });
});

/**
 * Returns a client that records the workflows it is asked about; `answer` may return `running` or the error to
 * throw; null asks Temporal.
 */
function countingClient(
  answer: (workflowId: string) => Error | 'running' | null = () => null,
  before: () => Promise<void> = async () => {},
): { client: Client; ids(): string[] } {
  const ids: string[] = [];
  const client = new Client({
    connection: temporal.client.connection as Connection,
    namespace: temporal.namespace,
    interceptors: {
      workflow: [
        {
          async describe(input, next) {
            const { workflowId } = input.workflowExecution;
            ids.push(workflowId ?? '');
            await before();
            const given = answer(workflowId ?? '');
            if (given instanceof Error) throw given;
            if (given === null) return next(input);
            return {
              workflowExecutionInfo: {
                status: 1,
                execution: input.workflowExecution,
                type: { name: 'item' },
                taskQueue: 'q',
                startTime: { seconds: 1 },
                executionTime: { seconds: 1 },
              },
              executionConfig: {},
              pendingActivities: [],
            } as never;
          },
        },
      ],
    },
  });
  return { client, ids: () => ids };
}

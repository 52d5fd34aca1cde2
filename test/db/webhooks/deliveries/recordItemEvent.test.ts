import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DELIVERIES_CHANNEL, recordItemEvent } from '../../../../db/webhooks/deliveries/recordItemEvent.ts';
import { claimDeliveries } from '../../../../db/webhooks/deliveries/claims.ts';
import { inTransaction } from '../../../../db/pool.ts';
import { reviewBacklogs } from '../../../../db/webhooks/backlog.ts';
import { deleteWebhook } from '../../../../db/webhooks/webhooks.ts';
import { purgeDeletedWebhooks } from '../../../../db/webhooks/deliveries/deleteDeliveries.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { Analyst, snapshot } from '../../../support/items/items.ts';
import { untilWaiting } from '../../../support/lockWaits.ts';
import { textItem } from '../../../support/project.ts';
import {
  addProject,
  addWebhook,
  numberDeliveries,
  readDeliveries,
  recordEvent,
  testItem,
} from '../../../support/webhooks/webhooks.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('delete from webhooks');
  projectId = await addProject(database.pool);
});
afterAll(() => database.drop());

const add = (events: Parameters<typeof addWebhook>[3] = ['item.processed', 'item.failed']) =>
  addWebhook(database.pool, projectId, 'https://receiver.test/', events);

describe('recordItemEvent', () => {
  it('queues one delivery for every webhook that subscribes to the event', async () => {
    const [both, processed, failed] = [await add(), await add(['item.processed']), await add(['item.failed'])];
    expect(await recordEvent(database.pool, projectId, 'item-1')).toBe(2);
    expect(await readDeliveries(database.pool, both)).toMatchObject([
      { status: 'pending', lane: 'first', attempt: 0, item: testItem('item-1') },
    ]);
    expect(await readDeliveries(database.pool, processed)).toHaveLength(1);
    expect(await readDeliveries(database.pool, failed)).toEqual([]);
  });

  // proves: webhook-kinds/4
  it.each([
    ['an archived project', `update projects set state = 'archived' where id = $1`],
    ['a suspended project', `update projects set state = 'suspended' where id = $1`],
    [
      'a blocked client',
      `update clients c set state = 'blocked' from projects p where p.id = $1 and c.id = p.client_id`,
    ],
  ])('queues nothing for %s', async (_what, change) => {
    const webhook = await add();
    await database.pool.query(change, [projectId]);
    expect(await recordEvent(database.pool, projectId, 'item-1')).toBe(0);
    expect(await readDeliveries(database.pool, webhook)).toEqual([]);
  });

  it('records the event of a disabled webhook in its journal as dropped, if it subscribes, and does not queue it', async () => {
    const [off, other, on] = [await add(['item.processed']), await add(['item.failed']), await add()];
    await database.pool.query('update webhooks set enabled = false where id = any($1)', [
      [off.webhookId, other.webhookId],
    ]);
    expect(await recordEvent(database.pool, projectId, 'item-1')).toBe(1);
    expect(await readDeliveries(database.pool, off)).toMatchObject([
      { status: 'dropped', lane: null, attempt: 0, error: 'вебхук выключен', next_attempt_at: null },
    ]);
    expect(await readDeliveries(database.pool, other)).toEqual([]);
    expect(await readDeliveries(database.pool, on)).toMatchObject([{ status: 'pending', lane: 'first' }]);
  });

  it('is not stopped by a webhook that is deleted and removed meanwhile: the others get the event', async () => {
    const [busy, gone, other] = [await add(), await add(), await add()];
    await database.pool.query('update webhooks set backlog_room = 5 where id = $1', [busy.webhookId]);
    const held = await database.pool.connect();
    await held.query('begin');
    await held.query('select from webhooks where id = $1 for no key update', [busy.webhookId]);
    const recorded = recordEvent(database.pool, projectId, 'item-1');
    await untilWaiting(database.pool, 1);
    await deleteWebhook(database.pool, projectId, gone.webhookId);
    await purgeDeletedWebhooks(database.pool, 100);
    await held.query('commit');
    held.release();
    expect(await recorded).toBeGreaterThanOrEqual(2);
    for (const webhook of [busy, other]) expect(await readDeliveries(database.pool, webhook)).toHaveLength(1);
    await purgeDeletedWebhooks(database.pool, 100);
    const { rows } = await database.pool.query<{ id: string }>('select id from webhooks order by id');
    expect(rows.map(({ id }) => id)).toEqual([busy.webhookId, other.webhookId].toSorted());
  });

  it('leaves nothing when the transaction rolls back', async () => {
    const webhook = await add();
    const write = {
      projectId,
      itemId: 'item-1',
      event: 'item.processed',
      item: testItem('item-1'),
      requestId: null,
    } as const;
    const rolledBack = inTransaction(database.pool, async (client) => {
      expect(await recordItemEvent(client, write)).toBe(1);
      throw new Error('undo');
    });
    await expect(rolledBack).rejects.toThrow('undo');
    expect(await readDeliveries(database.pool, webhook)).toEqual([]);
  });

  // proves: decisions-lanes/notify
  it('wakes the worker when it commits', async () => {
    await add();
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`listen ${DELIVERIES_CHANNEL}`);
    const woken = new Promise<pg.Notification>((resolve) => client.once('notification', resolve));
    await recordEvent(database.pool, projectId, 'item-1');
    expect((await woken).channel).toBe(DELIVERIES_CHANNEL);
    await client.end();
  });
});

describe('the final status of an item and its event', () => {
  // proves: decisions-lanes/rows
  it.each([
    ['the event', 'create trigger refuse before insert on deliveries for each row'],
    [
      'the status',
      `create constraint trigger refuse after update on items deferrable initially deferred for each row when (new.status = 'ready')`,
    ],
  ])('are stored together: neither is, if %s cannot be', async (_what, trigger) => {
    await add();
    const analyst = new Analyst(database.pool, projectId);
    await analyst.put('lesson', textItem());
    const look = () => snapshot(database.pool, projectId, 'lesson');
    await database.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$; ${trigger} execute function refuse()`,
    );
    await expect(analyst.analyse('lesson')).rejects.toThrow('broken');
    await database.pool.query('drop function refuse cascade');
    expect(await look()).toMatchObject({ status: 'processing', events: [] });
    await analyst.finish('lesson', 'embedding');
    expect(await look()).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });
});

describe('claimDeliveries', () => {
  const limits = { batch: 100, perWebhook: 3, urgentPerWebhook: 2, leaseMs: 30_000 };

  it('takes turns between the webhooks, each oldest first', async () => {
    const [first, second] = [await add(), await add()];
    for (const item of ['1', '2', '3', '4']) await recordEvent(database.pool, projectId, item);
    await numberDeliveries(database.pool, projectId);
    const { deliveries, isFull } = await claimDeliveries(database.pool, { ...limits, batch: 4 });
    expect(isFull).toBe(true);
    for (const { webhookId } of [first, second]) {
      expect(deliveries.filter((claim) => claim.webhookId === webhookId).map((claim) => claim.item.id)).toEqual([
        '1',
        '2',
      ]);
    }
  });

  it('keeps the limit of each webhook across all workers, and says that more are waiting', async () => {
    await add();
    for (const item of ['1', '2', '3', '4']) await recordEvent(database.pool, projectId, item);
    await numberDeliveries(database.pool, projectId);
    const claims = await Promise.all([1, 2, 3].map(() => claimDeliveries(database.pool, limits)));
    expect(
      claims
        .flatMap((claim) => claim.deliveries)
        .map((delivery) => delivery.item.id)
        .toSorted(),
    ).toEqual(['1', '2', '3']);
    expect(await claimDeliveries(database.pool, limits)).toMatchObject({
      deliveries: [],
      atLimit: [expect.any(String)],
      isFull: false,
    });
  });

  it('finds nothing in an empty table, and says that nothing waits', async () => {
    expect(await claimDeliveries(database.pool, limits)).toEqual({ deliveries: [], atLimit: [], isFull: false });
  });
});

describe('the room in a long backlog', () => {
  const limits = { pauseAbove: 6, resumeBelow: 3 };
  const statuses = async (webhook: Awaited<ReturnType<typeof add>>) =>
    (await readDeliveries(database.pool, webhook)).map(({ status }) => status).sort();

  // proves: webhook-retries/6
  it('is respected by simultaneous events: not one more than the limit is queued', async () => {
    const webhook = await add();
    for (const item of ['1', '2', '3']) await recordEvent(database.pool, projectId, item);
    expect(await reviewBacklogs(database.pool, limits)).toEqual([]);
    const queued = await Promise.all(
      Array.from({ length: 12 }, (_, index) => recordEvent(database.pool, projectId, `burst-${index}`)),
    );
    expect(queued.filter((count) => count === 1)).toHaveLength(3);
    expect((await statuses(webhook)).filter((status) => status === 'pending')).toHaveLength(6);
    const { rows } = await database.pool.query('select backlog_since is not null as stopped from webhooks');
    expect(rows).toEqual([{ stopped: true }]);
  });

  it('is returned by an event whose transaction is rolled back, and by deliveries', async () => {
    const webhook = await add();
    for (const item of ['1', '2', '3', '4', '5']) await recordEvent(database.pool, projectId, item);
    await reviewBacklogs(database.pool, limits);
    const record = (client: pg.PoolClient, itemId: string) =>
      recordItemEvent(client, { projectId, itemId, event: 'item.processed', item: testItem(itemId), requestId: null });
    await inTransaction(database.pool, async (client) => {
      expect(await record(client, 'undone')).toBe(1);
      throw new Error('undone');
    }).catch(() => {});
    expect(await recordEvent(database.pool, projectId, '6')).toBe(1);
    await database.pool.query(`update deliveries set status = 'delivered', lane = null where item_id in ('1', '2')`);
    await reviewBacklogs(database.pool, limits);
    for (const [item, count] of [
      ['7', 1],
      ['8', 1],
      ['9', 0],
    ] as const)
      expect(await recordEvent(database.pool, projectId, item)).toBe(count);
    expect((await statuses(webhook)).filter((status) => status === 'pending')).toHaveLength(6);
  });

  it('is counted per webhook, and forgotten once the backlog is short', async () => {
    const long = await add(['item.processed']);
    const short = await add(['item.failed']);
    for (const item of ['1', '2', '3', '4']) await recordEvent(database.pool, projectId, item);
    await reviewBacklogs(database.pool, limits);
    const rooms = async () => {
      const { rows } = await database.pool.query<{ id: string; backlog_room: number | null }>(
        'select id, backlog_room from webhooks',
      );
      return Object.fromEntries(rows.map(({ id, backlog_room: room }) => [id, room]));
    };
    expect(await rooms()).toEqual({ [long.webhookId]: 2, [short.webhookId]: null });
    await database.pool.query('delete from deliveries');
    await reviewBacklogs(database.pool, limits);
    expect(await rooms()).toEqual({ [long.webhookId]: null, [short.webhookId]: null });
  });
});

describe('reviewBacklogs', () => {
  const limits = { pauseAbove: 4, resumeBelow: 3 };

  it('is left to the worker that is running it', async () => {
    const { webhookId } = await add();
    for (const item of ['1', '2', '3', '4', '5']) await recordEvent(database.pool, projectId, item);
    await inTransaction(database.pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('webhook-backlogs', 0))`);
      expect(await reviewBacklogs(database.pool, limits)).toEqual([]);
    });
    expect(await reviewBacklogs(database.pool, limits)).toEqual([{ projectId, webhookId, paused: true }]);
  });

  it('counts first attempts and retries, and releases a webhook that has nothing left', async () => {
    const { webhookId } = await add();
    for (const item of ['1', '2', '3', '4', '5']) await recordEvent(database.pool, projectId, item);
    await database.pool.query(`update deliveries set lane = 'retry' where item_id in ('1', '2')`);
    expect(await reviewBacklogs(database.pool, limits)).toEqual([{ projectId, webhookId, paused: true }]);
    await database.pool.query('delete from deliveries');
    expect(await reviewBacklogs(database.pool, limits)).toEqual([{ projectId, webhookId, paused: false }]);
  });

  it('ignores a deleted webhook whose journal still has to be removed', async () => {
    const { webhookId } = await add();
    for (const item of ['1', '2', '3', '4', '5']) await recordEvent(database.pool, projectId, item);
    await deleteWebhook(database.pool, projectId, webhookId);
    expect(await reviewBacklogs(database.pool, limits)).toEqual([]);
    expect((await database.pool.query('select backlog_since from webhooks where id = $1', [webhookId])).rows).toEqual([
      { backlog_since: null },
    ]);
  });

  // proves: webhook-retries/6, limits/undelivered-events, decisions-backlog/limit, decisions-backlog/resume
  it('stops a webhook beyond 50,000 undelivered events, and lets it go on below 40,000', async () => {
    const { webhookId } = await add();
    await database.pool.query(
      `insert into deliveries (project_id, webhook_id, event, item_id, item)
       select $1, $2, 'item.processed', n::text, '{}' from generate_series(1, 49999) n`,
      [projectId, webhookId],
    );
    const leave = (count: number) =>
      database.pool.query(
        'delete from deliveries where ctid = any(array(select ctid from deliveries order by id offset $1))',
        [count],
      );
    expect(await reviewBacklogs(database.pool)).toEqual([]);
    expect(await recordEvent(database.pool, projectId, 'the 50,000th')).toBe(1);
    expect(await recordEvent(database.pool, projectId, 'one more')).toBe(0);
    await leave(40_000);
    expect(await reviewBacklogs(database.pool)).toEqual([]);
    await leave(39_999);
    expect(await reviewBacklogs(database.pool)).toEqual([{ projectId, webhookId, paused: false }]);
  });

  // proves: webhook-retries/6, decisions-backlog/counted, decisions-backlog/each, decisions-backlog/resume
  it('drops new events beyond the limit, and accepts them again once the backlog is clearly shorter', async () => {
    const webhook = await add();
    for (const item of ['1', '2', '3', '4', '5']) await recordEvent(database.pool, projectId, item);
    await numberDeliveries(database.pool, projectId);
    const change = { projectId, webhookId: webhook.webhookId };
    expect(await reviewBacklogs(database.pool, limits)).toEqual([{ ...change, paused: true }]);
    const other = await add();
    expect(await recordEvent(database.pool, projectId, '6')).toBe(1);
    expect(await readDeliveries(database.pool, other)).toMatchObject([{ item_id: '6', status: 'pending' }]);
    await database.pool.query('delete from webhooks where id = $1', [other.webhookId]);
    expect((await readDeliveries(database.pool, webhook)).at(-1)).toMatchObject({
      item_id: '6',
      status: 'dropped',
      lane: null,
      error: 'у вебхука слишком много недоставленных событий',
    });

    const settle = (item: string) =>
      database.pool.query(`update deliveries set status = 'delivered', lane = null where item_id = $1`, [item]);
    await settle('1');
    await settle('2');
    expect(await reviewBacklogs(database.pool, limits)).toEqual([]);
    await settle('3');
    expect(await reviewBacklogs(database.pool, limits)).toEqual([{ ...change, paused: false }]);
    expect(await recordEvent(database.pool, projectId, '7')).toBe(1);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../../../db/webhooks/deliveries/claims.ts';
import { resendDelivery } from '../../../../db/webhooks/deliveries/testsAndResends.ts';
import { deleteItem } from '../../../../db/items/writeItems.ts';
import { inTransaction } from '../../../../db/pool.ts';
import { findRecovery, listRecoveries } from '../../../../db/webhooks/deliveries/recoveries.ts';
import { recoverPage } from '../../../../db/webhooks/deliveries/recoveryPages.ts';
import { MAX_RECOVERY_RETRIES, RECOVERY_ROOM } from '../../../../domain/webhooks/recovery.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { Analyst } from '../../../support/items/items.ts';
import { textItem } from '../../../support/project.ts';
import { addUndelivered, askRecovery, openTestRecovery, recoverAll } from '../../../support/webhooks/recoveries.ts';
import {
  addProject,
  addWebhook,
  readDeliveries,
  recordEvent,
  type TestWebhook,
} from '../../../support/webhooks/webhooks.ts';

let database: TestDatabase;
let webhook: TestWebhook;

const NOBODY = '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c';
const OVER = 'update webhooks set enabled = false where project_id = $1';
const ARCHIVED = `update projects set state = 'archived' where id = $1`;
const BLOCKED = `update clients c set state = 'blocked' from projects p where p.id = $1 and c.id = p.client_id`;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('truncate webhooks, jobs, outbox cascade');
  webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
});
afterAll(() => database.drop());

const run = (statement: string, more: unknown[] = []) => database.pool.query(statement, [webhook.projectId, ...more]);
const open = (more = {}) => openTestRecovery(database.pool, webhook, more);
const add = (rows: Parameters<typeof addUndelivered>[2]) => addUndelivered(database.pool, webhook, rows);
const page = (id: string) => recoverPage(database.pool, webhook.projectId, id);
const jobs = async () =>
  (await run(`select entity_id as id from jobs where project_id = $1 and kind = 'webhook-recovery'`)).rows.map(
    ({ id }: { id: string }) => id,
  );
const pendingItems = async () =>
  (
    await run(`select item_id as id from deliveries where project_id = $1 and lane = 'first' order by created_at, id`)
  ).rows.map(({ id }: { id: string }) => id);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('openRecovery', () => {
  it('opens a recovery with its job, for a range from the beginning of the journal to now at most', async () => {
    const recovery = await open({ until: new Date('2999-01-01T00:00:00Z') });
    expect(recovery).toMatchObject({
      state: 'running',
      statuses: ['failed', 'dropped'],
      total: null,
      done: 0,
      skipped: 0,
      finishedAt: null,
    });
    expect(recovery.until).toEqual(recovery.createdAt);
    expect(recovery.createdAt.getTime() - recovery.since.getTime()).toBe(30 * 86_400_000);
    expect(await jobs()).toEqual([recovery.id]);
  });

  it('keeps a range that lies within the journal', async () => {
    const range = { since: minutesAgo(90), until: minutesAgo(30) };
    expect(await open(range)).toMatchObject(range);
  });

  it('lets a held address be tried at once, one attempt at a time', async () => {
    await add({ count: 3 });
    await run(`update webhooks set failures_in_row = 7, held_until = now() + interval '6 hours' where project_id = $1`);
    const { id } = await open();
    await page(id);
    const { deliveries } = await claimDeliveries(database.pool, {
      batch: 10,
      perWebhook: 10,
      urgentPerWebhook: 2,
      leaseMs: 30_000,
    });
    expect(deliveries.map(({ attempt, scheduleStart }) => [attempt, scheduleStart])).toEqual([[8, 7]]);
  });

  it('opens one per webhook, however many ask at once; other webhooks and the next recovery are accepted', async () => {
    const asked = await Promise.all(Array.from({ length: 5 }, () => askRecovery(database.pool, webhook)));
    expect(asked.filter((answer) => answer === 'running')).toHaveLength(4);
    const other = await addWebhook(database.pool, webhook.projectId, 'https://other.test/');
    expect(await askRecovery(database.pool, other)).toMatchObject({ state: 'running' });
    expect(await jobs()).toHaveLength(2);
    const [running] = await listRecoveries(database.pool, webhook.projectId, webhook.webhookId, {
      after: null,
      limit: 5,
    });
    await recoverAll(database.pool, webhook, running?.id ?? '');
    expect(await askRecovery(database.pool, webhook)).toMatchObject({ state: 'running' });
  });

  it.each([
    ['a disabled webhook', OVER],
    ['an archived project', ARCHIVED],
    ['a blocked client', BLOCKED],
  ])('opens none for %s', async (_what, change) => {
    await run(change);
    expect(await askRecovery(database.pool, webhook)).toBe('not_sending');
    expect(await jobs()).toEqual([]);
  });

  it('opens none for a webhook that the project does not have', async () => {
    expect(await askRecovery(database.pool, { ...webhook, webhookId: NOBODY })).toBe('unknown_webhook');
    const elsewhere = await addProject(database.pool);
    expect(await askRecovery(database.pool, { ...webhook, projectId: elsewhere })).toBe('unknown_webhook');
  });
});

describe('recoverPage', () => {
  it('queues failed and dropped deliveries, each with a new schedule, and ends', async () => {
    await add({ count: 2, status: 'failed' });
    await add({ count: 1, status: 'dropped', attempt: 3, prefix: 'dropped' });
    const { id } = await open();
    expect(await page(id)).toEqual({ state: 'done', total: 3, done: 3, skipped: 0, pauseMs: 0 });
    const rows = await readDeliveries(database.pool, webhook);
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatchObject({
        status: 'pending',
        lane: 'first',
        leased_until: null,
        next_attempt_at: null,
        schedule_start: row.attempt,
      });
    expect(rows.map(({ attempt, error }) => [attempt, error]).sort()).toEqual([
      [3, null],
      [7, 'неожиданный код ответа: 500'],
      [7, 'неожиданный код ответа: 500'],
    ]);
    expect([await jobs(), await findRecovery(database.pool, webhook.projectId, webhook.webhookId, id)]).toMatchObject([
      [],
      { state: 'done', done: 3, finishedAt: expect.any(Date) },
    ]);
  });

  // proves: decisions-webhooks/recover
  // proves: decisions-cabinet-calls/recover
  it('ignores deliveries that are delivered or tests, or are of another time, status or webhook', async () => {
    await add({ count: 1, minutesAgo: 120, prefix: 'early' });
    await add({ count: 1, minutesAgo: 60, prefix: 'within' });
    await add({ count: 1, minutesAgo: 60, status: 'dropped', prefix: 'dropped' });
    await add({ count: 1, minutesAgo: 60, event: 'webhook.test', prefix: 'test' });
    await add({ count: 1, minutesAgo: 10, prefix: 'late' });
    await add({ count: 1, minutesAgo: 60, prefix: 'delivered' });
    await run(`update deliveries set status = 'delivered' where project_id = $1 and item_id = 'delivered-1'`);
    await addUndelivered(database.pool, await addWebhook(database.pool, webhook.projectId, 'https://other.test/'), {
      count: 1,
    });
    const { id } = await open({ since: minutesAgo(90), until: minutesAgo(30), statuses: ['failed'] });
    expect(await page(id)).toMatchObject({ state: 'done', total: 1, done: 1, skipped: 0 });
    expect(await pendingItems()).toEqual(['within-1']);
  });

  it('skips deliveries of deleted items', async () => {
    await add({ count: 3 });
    await new Analyst(database.pool, webhook.projectId).put('item-2', textItem());
    await deleteItem(database.pool, { projectId: webhook.projectId, itemId: 'item-2' });
    const { id } = await open();
    expect(await page(id)).toMatchObject({ state: 'done', total: 3, done: 2, skipped: 1 });
    expect(await pendingItems()).toEqual(['item-1', 'item-3']);
  });

  it('takes 5,000 rows oldest first, page by page, each once, even if two pages are requested at a time', async () => {
    await add({ count: 5_000 });
    const { id } = await open();
    const queued = new Set<string>();
    let state = 'running';
    while (state === 'running') {
      // Two concurrent activities, as after a lost heartbeat: they take turns.
      const both = await Promise.all([page(id), page(id)]);
      state = both.some((each) => each.state === 'done') ? 'done' : 'running';
      const { rows } = await run(
        `update deliveries set status = 'delivered', lane = null where project_id = $1 and lane = 'first' returning item_id`,
      );
      expect(rows.length).toBeLessThanOrEqual(RECOVERY_ROOM.most);
      for (const { item_id: item } of rows as { item_id: string }[]) {
        expect(queued.has(item)).toBe(false);
        queued.add(item);
      }
      const oldest = Array.from({ length: queued.size }, (_, index) => `item-${index + 1}`);
      expect(oldest.every((item) => queued.has(item))).toBe(true);
    }
    expect(queued.size).toBe(5_000);
    expect(await findRecovery(database.pool, webhook.projectId, webhook.webhookId, id)).toMatchObject({
      state: 'done',
      total: 5_000,
      done: 5_000,
      skipped: 0,
    });
  });

  it('reads past any number of rows that do not match', async () => {
    await add({ count: 2_500, status: 'dropped', prefix: 'dropped' });
    await add({ count: 1, minutesAgo: 10, prefix: 'wanted' });
    const { id } = await open({ statuses: ['failed'] });
    const pages = await recoverAll(database.pool, webhook, id);
    expect(pages.map(({ pauseMs }) => pauseMs)).toEqual(pages.map(() => 0));
    expect(pages.at(-1)).toMatchObject({ state: 'done', total: 1, done: 1 });
  });

  it('does not take the same delivery twice if it fails again meanwhile', async () => {
    await add({ count: 200 });
    const { id } = await open();
    const taken: string[] = [];
    for (let state = 'running'; state === 'running';) {
      ({ state } = await page(id));
      const { rows } = await run(
        `update deliveries set status = 'failed', lane = null, attempt = attempt + 7 where project_id = $1 and lane = 'first' returning item_id`,
      );
      taken.push(...rows.map(({ item_id: item }: { item_id: string }) => item));
    }
    expect([taken.length, new Set(taken).size]).toEqual([200, 200]);
  });

  it('repeats an interrupted page as a whole', async () => {
    await add({ count: 2 });
    const { id } = await open();
    await database.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    );
    await database.pool.query(
      'create trigger refuse before update on webhook_recoveries for each row execute function refuse()',
    );
    await expect(page(id)).rejects.toThrow('broken');
    await database.pool.query('drop function refuse cascade');
    expect(await pendingItems()).toEqual([]);
    expect(await page(id)).toMatchObject({ state: 'done', done: 2 });
  });

  it('does not touch a delivery that a person has resent', async () => {
    await add({ count: 2 });
    const { id } = await open();
    const [row] = await readDeliveries(database.pool, webhook);
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId: row?.id ?? '' })).toBe('queued');
    expect(await page(id)).toMatchObject({ state: 'done', done: 1 });
    expect((await readDeliveries(database.pool, webhook)).map(({ lane }) => lane).sort()).toEqual(['first', 'urgent']);
  });

  it('queues only a few at a time, so that fresh events are not delayed', async () => {
    await add({ count: 1_000 });
    const { id } = await open();
    expect(await page(id)).toMatchObject({ state: 'running', done: RECOVERY_ROOM.least, pauseMs: 500 });
    // No queued delivery was taken, so the room shrinks to nothing.
    expect(await page(id)).toMatchObject({ state: 'running', done: RECOVERY_ROOM.least });
    expect(await pendingItems()).toHaveLength(RECOVERY_ROOM.least);
    await run(`update webhook_recoveries set updated_at = now() - interval '20 seconds' where project_id = $1`);
    const { pauseMs } = await page(id);
    expect(pauseMs).toBeGreaterThanOrEqual(20_000);
    expect(pauseMs).toBeLessThanOrEqual(60_000);
    await run(`update deliveries set status = 'delivered', lane = null where project_id = $1 and lane = 'first'`);
    expect((await page(id)).done).toBeGreaterThan(RECOVERY_ROOM.least);
  });

  it.each([
    [
      'the backlog is over its limit',
      'update webhooks set backlog_since = now() where project_id = $1',
      'update webhooks set backlog_since = null where project_id = $1',
    ],
    [
      'too many retries wait',
      `insert into deliveries (project_id, webhook_id, event, item_id, item, lane, attempt, next_attempt_at)
       select project_id, id, 'item.processed', 'x', '{}', 'retry', 1, now() from webhooks, generate_series(1, ${MAX_RECOVERY_RETRIES}) where project_id = $1`,
      `delete from deliveries where project_id = $1 and lane = 'retry'`,
    ],
  ])('waits while %s', async (_what, begin, end) => {
    await add({ count: 3 });
    const { id } = await open();
    await run(begin);
    expect(await page(id)).toMatchObject({ state: 'running', done: 0 });
    await run(end);
    expect(await page(id)).toMatchObject({ state: 'done', done: 3 });
  });

  it.each([
    ['was disabled', OVER],
    ['belongs to a project that was archived', ARCHIVED],
  ])('ends if its webhook %s meanwhile', async (_what, change) => {
    await add({ count: 300 });
    const { id } = await open();
    await page(id);
    await run(change);
    expect(await page(id)).toMatchObject({ state: 'cancelled', done: RECOVERY_ROOM.least, total: 300 });
    expect(await jobs()).toEqual([]);
    expect(await page(id)).toMatchObject({ state: 'cancelled', done: RECOVERY_ROOM.least });
    expect(await findRecovery(database.pool, webhook.projectId, webhook.webhookId, id)).toMatchObject({
      state: 'cancelled',
      finishedAt: expect.any(Date),
    });
  });

  it('ends and closes its job if its webhook was deleted', async () => {
    const { id } = await open();
    await run('delete from webhooks where project_id = $1');
    expect(await page(id)).toMatchObject({ state: 'cancelled', done: 0 });
    expect(await jobs()).toEqual([]);
  });

  it('includes events dropped by a transaction that began before the request', async () => {
    await run(OVER);
    let id = '';
    await inTransaction(database.pool, async (client) => {
      await client.query(
        `insert into deliveries (project_id, webhook_id, event, item_id, item, status, lane) select project_id, id, 'item.processed', 'slow', '{}', 'dropped', null from webhooks where project_id = $1`,
        [webhook.projectId],
      );
      await run('update webhooks set enabled = true where project_id = $1');
      ({ id } = await open());
      expect(await page(id)).toMatchObject({ state: 'running', done: 0 });
    });
    expect(await page(id)).toMatchObject({ state: 'done', done: 1 });
  });
});

describe('events that a disabled webhook missed', () => {
  it('are recovered once it is enabled again', async () => {
    await run(OVER);
    for (const item of ['a', 'b']) await recordEvent(database.pool, webhook.projectId, item);
    await run('update webhooks set enabled = true where project_id = $1');
    await recordEvent(database.pool, webhook.projectId, 'c');
    const { id } = await open({ since: minutesAgo(5) });
    expect(await page(id)).toMatchObject({ state: 'done', total: 2, done: 2 });
    expect((await pendingItems()).sort()).toEqual(['a', 'b', 'c']);
  });
});

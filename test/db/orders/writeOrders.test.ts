import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeOrders, type OrderWrite } from '../../../db/orders/writeOrders.ts';
import { inTransaction } from '../../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  expandAll,
  findDifferences,
  line,
  openRequests,
  order,
  readEvents,
  request,
} from '../../support/people/orders.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});
afterAll(() => database.drop());

const write = (orders: OrderWrite[]) => writeOrders(database.pool, request(projectId), orders);
const revisions = async () => {
  const { rows } = await database.pool.query<{ order_id: string; revision: string }>(
    'select order_id, revision from orders where project_id = $1 order by order_id',
    [projectId],
  );
  return Object.fromEntries(rows.map((row) => [row.order_id, Number(row.revision)]));
};

describe('writeOrders', () => {
  // proves: decisions-orders/one-workflow
  it('opens one job for all orders that changed, with the request’s priority, and leaves out unchanged ones', async () => {
    await write([order('a', ['x']), order('b', ['x'])]);
    const { rows } = await database.pool.query('select kind, priority, request_id from jobs where project_id = $1', [
      projectId,
    ]);
    expect(rows).toEqual([{ kind: 'orders', priority: request(projectId).priority, request_id: 'request-1' }]);
    expect(
      (await database.pool.query(`select from outbox where project_id = $1 and kind = 'orders'`, [projectId])).rows,
    ).toHaveLength(1);
    await write([order('a', ['x']), order('b', ['y'])]);
    const requests = await database.pool.query<{ order_ids: string[] }>(
      'select order_ids from order_requests where project_id = $1 order by id',
      [projectId],
    );
    expect(requests.rows.map((row) => row.order_ids)).toEqual([['a', 'b'], ['b']]);
    expect(await revisions()).toEqual({ a: 1, b: 2 });
  });

  it('stores the orders of many simultaneous identical requests once', async () => {
    const orders = Array.from({ length: 50 }, (_, n) =>
      order(`o${n}`, ['x', `y${n}`], { user: { kind: 'user', externalId: `u${n % 7}` } }),
    );
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => write(orders)));
    for (const outcome of outcomes) expect(outcome).toEqual(orders.map(() => ({ accepted: 2, rejected: [] })));
    expect(Object.values(await revisions())).toEqual(orders.map(() => 1));
    expect(await openRequests(database.pool, projectId)).toHaveLength(1);
    await expandAll(database.pool, projectId);
    expect(await readEvents(database.pool, projectId)).toHaveLength(100);
  });

  it('never deadlocks when the same new people, items and orders come in opposite sequences', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `n${n}`);
    const orders = (round: number) =>
      ids.map((id) =>
        order(`o-${id}`, [`i-${id}`], {
          user: { kind: 'user', externalId: `u-${id}` },
          lines: [line(`i-${id}`, { quantity: round })],
        }),
      );
    for (let round = 1; round <= 5; round += 2) {
      const results = await Promise.all([
        write(orders(round)),
        write(orders(round + 1).reverse()),
        write(orders(round)),
        write(orders(round + 1).reverse()),
      ]);
      expect(results.map((outcomes) => outcomes?.length)).toEqual([60, 60, 60, 60]);
    }
    const { rows } = await database.pool.query<{ quantity: number }>(
      'select distinct quantity from order_lines where project_id = $1',
      [projectId],
    );
    expect(rows).toHaveLength(1);
    await expandAll(database.pool, projectId);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
  });

  it('creates an order again if it is purged while the write waits for its lock', async () => {
    await write([order('a', ['x']), order('b', ['x'])]);
    let writing: ReturnType<typeof write> | undefined;
    await inTransaction(database.pool, async (client) => {
      await client.query(`select from orders where project_id = $1 and order_id = 'a' for update`, [projectId]);
      writing = write([order('a', ['y']), order('b', ['y'])]);
      await eventually(
        async () =>
          (
            await database.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rows[0],
        'the write waits',
      );
      await client.query(`delete from orders where project_id = $1 and order_id = 'a'`, [projectId]);
    });
    expect(await writing).toHaveLength(2);
    expect(await revisions()).toEqual({ a: 1, b: 2 });
    await expandAll(database.pool, projectId);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
  });

  it('takes nothing from an order of a deleted user when its id is written again', async () => {
    const long = new Date('2026-01-02T03:04:05.678Z');
    await write([order('a', ['x'], { occurredAt: long })]);
    await expandAll(database.pool, projectId);
    await database.pool.query('update identities set dead_at = now() where project_id = $1', [projectId]);
    const now = request(projectId);
    await writeOrders(database.pool, now, [order('a', ['x'])]);
    await expandAll(database.pool, projectId);
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from identities where project_id = $1 and dead_at is null',
      [projectId],
    );
    expect(await readEvents(database.pool, projectId)).toMatchObject([
      { item_id: 'x', identity_id: rows[0]?.id, occurred_at: expect.any(Date) },
    ]);
    expect((await readEvents(database.pool, projectId))[0]?.occurred_at.getTime()).toBeGreaterThanOrEqual(
      now.receivedAt.getTime(),
    );
  });

  it('stores nothing without a purchase type', async () => {
    await database.pool.query('update event_types set is_purchase = false where project_id = $1', [projectId]);
    expect(await write([order('a', ['x'])])).toBeNull();
    expect(await revisions()).toEqual({});
    expect((await database.pool.query('select from identities where project_id = $1', [projectId])).rows).toHaveLength(
      0,
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expandRequest } from '../../../db/orders/expandOrders.ts';
import { writeOrders, type OrderWrite } from '../../../db/orders/writeOrders.ts';
import { purgeChunk } from '../../../db/people/purge.ts';
import { inTransaction } from '../../../db/pool.ts';
import { openTraining } from '../../../db/training/models.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import {
  expandAll,
  expectedEventId,
  findDifferences,
  line,
  openRequests,
  order,
  readEvents,
  request,
} from '../../support/people/orders.ts';
import { openJobs, remove } from '../../support/people/people.ts';
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

const write = async (orders: OrderWrite[]): Promise<string> => {
  const before = await openRequests(database.pool, projectId);
  await writeOrders(database.pool, request(projectId), orders);
  const id = (await openRequests(database.pool, projectId)).find((open) => !before.includes(open));
  if (id === undefined) throw new Error('no request was opened');
  return id;
};
const expand = (id: string, limit = 100) => expandRequest(database.pool, projectId, id, limit);
/** Returns the items of which the next training forgets something; true means that a person was deleted. */
const forgotten = async (): Promise<[string, boolean][]> =>
  (
    await database.pool.query<{ item: string; deleted: boolean }>(
      'select item_id as item, deleted from output_forgotten where project_id = $1 order by item_id',
      [projectId],
    )
  ).rows.map(({ item, deleted }) => [item, deleted]);
const versions = async () =>
  (
    await database.pool.query('select id, xmin::text, ctid::text from events where project_id = $1 order by id', [
      projectId,
    ])
  ).rows;

describe('expandRequest', () => {
  it('works in chunks; the last one ends the request and its job', async () => {
    const id = await write(Array.from({ length: 25 }, (_, n) => order(`o${String(n).padStart(2, '0')}`, ['x', 'y'])));
    const chunks = [await expand(id, 10), await expand(id, 10)];
    expect(chunks).toEqual([
      { orders: 10, total: 25, isDone: false },
      { orders: 10, total: 25, isDone: false },
    ]);
    expect(await openRequests(database.pool, projectId)).toEqual([id]);
    expect(await expand(id, 10)).toEqual({ orders: 5, total: 25, isDone: true });
    expect(await openRequests(database.pool, projectId)).toEqual([]);
    expect(
      (await database.pool.query('select from order_requests where project_id = $1', [projectId])).rows,
    ).toHaveLength(0);
    expect(await readEvents(database.pool, projectId)).toHaveLength(50);
    expect(await expand(id, 10)).toEqual({ orders: 0, total: 0, isDone: true });
  });

  it('ends with a chunk that is exactly full', async () => {
    const id = await write([order('a', ['x']), order('b', ['x'])]);
    expect(await expand(id, 2)).toEqual({ orders: 2, total: 2, isDone: true });
  });

  // proves: states/order-again, decisions-orders/replaced-lines
  it('adds new lines, removes missing ones, changes changed ones and touches no others', async () => {
    await write([order('a', ['kept', 'changed', 'vanished'])]);
    await expandAll(database.pool, projectId);
    const before = new Map((await versions()).map((row: { id: string }) => [row.id, row]));
    await write([order('a', [], { lines: [line('kept'), line('changed', { price: 11 }), line('new')] })]);
    await expandAll(database.pool, projectId);
    const after = new Map((await versions()).map((row: { id: string }) => [row.id, row]));
    const ids = (item: string) => expectedEventId('a', item);
    expect([...after.keys()].sort()).toEqual([ids('kept'), ids('changed'), ids('new')].sort());
    expect(after.get(ids('kept'))).toEqual(before.get(ids('kept')));
    expect(after.get(ids('changed'))).not.toEqual(before.get(ids('changed')));
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
  });

  it('does not touch events that only name the order', async () => {
    await database.pool.query(
      `insert into events (project_id, id, identity_id, item_id, type, occurred_at, order_id) values ($1, 'sent', 1, 'x', 'cart', now(), 'a')`,
      [projectId],
    );
    await write([order('a', ['x'])]);
    await expandAll(database.pool, projectId);
    await write([order('a', [], { status: 'cancelled' })]);
    await expandAll(database.pool, projectId);
    expect(await readEvents(database.pool, projectId)).toMatchObject([{ id: 'sent', type: 'cart' }]);
  });

  it('separates projects that use the same order id', async () => {
    const other = await createTestProject(database.pool);
    await write([order('a', ['x'])]);
    await writeOrders(database.pool, request(other), [order('a', ['x', 'y'])]);
    await expandAll(database.pool, projectId);
    expect(await readEvents(database.pool, other)).toEqual([]);
    await expandAll(database.pool, other);
    expect(
      [await readEvents(database.pool, projectId), await readEvents(database.pool, other)].map(({ length }) => length),
    ).toEqual([1, 2]);
  });

  it('gives the events of a linked device to its user', async () => {
    await write([order('a', ['x'], { user: { kind: 'anonymous', externalId: 'd1' } }), order('b', ['x'])]);
    await database.pool.query(
      `update identities set merged_into = (select id from identities where project_id = $1 and kind = 'user') where project_id = $1 and kind = 'anonymous'`,
      [projectId],
    );
    await expandAll(database.pool, projectId);
    const [first, second] = await readEvents(database.pool, projectId);
    expect(first?.identity_id).toBe(second?.identity_id);
  });

  // proves: decisions-orders/skips
  it('leaves the orders of deleted users to their purge, which counts and records their events', async () => {
    const people = { pool: database.pool, projectId };
    await openTraining(database.pool, { projectId, kind: 'full', requestId: null });
    await write([order('shown', ['x'])]);
    await expandAll(database.pool, projectId);
    await write([order('shown', ['y']), order('hidden', ['x']), order('purged', ['x'])]);
    await remove(people, 'user', 'u1');
    await database.pool.query(`delete from orders where project_id = $1 and order_id = 'purged'`, [projectId]);
    expect(await expandAll(database.pool, projectId)).toBe(2);
    expect((await readEvents(database.pool, projectId)).map((event) => event.item_id)).toEqual(['x']);
    expect(await openRequests(database.pool, projectId)).toEqual([]);
    const rootId = (await openJobs(people)).find(({ kind }) => kind === 'user-delete')?.entity ?? '';
    const purge = () => purgeChunk(database.pool, { projectId, rootId, limit: 100, isLastPass: true });
    while ((await purge()).state !== 'over');
    expect(await readEvents(database.pool, projectId)).toEqual([]);
    const { rows } = await database.pool.query(
      'select item_id, type, events::int from item_event_totals where project_id = $1 order by item_id',
      [projectId],
    );
    // The lines as they were in the end: `shown` and `hidden`.
    expect(rows).toEqual(['x', 'y'].map((item) => ({ item_id: item, type: 'purchase', events: 1 })));
    expect(await forgotten()).toEqual([['x', true]]);
  });

  it('lets the next training forget what was removed or given to somebody else, and nothing else', async () => {
    await openTraining(database.pool, { projectId, kind: 'full', requestId: null });
    await write([order('cut', ['a', 'b']), order('cancelled', ['c']), order('given', ['d']), order('same', ['e'])]);
    await expandAll(database.pool, projectId);
    expect(await forgotten()).toEqual([]);
    await write([
      order('cut', ['a']),
      order('cancelled', [], { status: 'cancelled' }),
      order('given', ['d'], { user: { kind: 'user', externalId: 'u2' } }),
      order('same', [], { lines: [line('e', { quantity: 2 })] }),
    ]);
    await expandAll(database.pool, projectId);
    expect(await forgotten()).toEqual([
      ['b', false],
      ['c', false],
      ['d', false],
    ]);
  });

  it('also records that the order was that of a deleted user, so that older models go too', async () => {
    await openTraining(database.pool, { projectId, kind: 'full', requestId: null });
    await write([order('given', ['d']), order('cut', ['a', 'b'])]);
    await expandAll(database.pool, projectId);
    await remove({ pool: database.pool, projectId }, 'user', 'u1');
    const user = { kind: 'user', externalId: 'u2' } as const;
    await write([order('given', ['d'], { user }), order('cut', ['a'], { user })]);
    await expandAll(database.pool, projectId);
    expect(await forgotten()).toEqual([
      ['a', true],
      ['b', true],
      ['d', true],
    ]);
  });

  it('expands with the type of the request if the project no longer has one', async () => {
    await write([order('a', ['x'])]);
    await database.pool.query('delete from event_types where project_id = $1', [projectId]);
    await expandAll(database.pool, projectId);
    expect(await readEvents(database.pool, projectId)).toMatchObject([{ type: 'purchase' }]);
  });

  // proves: decisions-orders/skips
  it('does not expand again what another request has expanded', async () => {
    const first = await write([order('a', ['x']), order('b', ['x'])]);
    const second = await write([order('b', ['y'])]);
    expect(await expand(first)).toMatchObject({ orders: 2, isDone: true });
    const before = await versions();
    expect(await expand(second)).toMatchObject({ orders: 0, isDone: true });
    expect(await versions()).toEqual(before);
    expect(await readEvents(database.pool, projectId)).toMatchObject([{ item_id: 'x' }, { item_id: 'y' }]);
  });

  it('includes a write that came between two chunks', async () => {
    const id = await write([order('a', ['x']), order('b', ['x'])]);
    await expand(id, 1);
    await write([order('a', ['y']), order('b', ['y'])]);
    await expandAll(database.pool, projectId, 1);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
    expect((await readEvents(database.pool, projectId)).map((event) => event.item_id)).toEqual(['y', 'y']);
  });

  // proves: decisions-orders/locked
  it('waits for a write in progress, and then includes it', async () => {
    const id = await write([order('a', ['x'])]);
    let expanding: ReturnType<typeof expand> | undefined;
    await inTransaction(database.pool, async (client) => {
      await client.query('update orders set revision = revision + 1 where project_id = $1', [projectId]);
      await client.query(`update order_lines set quantity = 7 where project_id = $1`, [projectId]);
      expanding = expand(id);
      await untilWaiting(database.pool, 1);
    });
    expect(await expanding).toMatchObject({ orders: 1, isDone: true });
    expect(await readEvents(database.pool, projectId)).toMatchObject([{ item_id: 'x', quantity: 7 }]);
  });

  it.each(['first', 'last'] as const)(
    'does not deadlock with a process that locks its events in order of id, when the %s event vanishes',
    async (vanished) => {
      const [low = '', high = ''] = ['x', 'y'].sort((a, b) =>
        expectedEventId('a', a) < expectedEventId('a', b) ? -1 : 1,
      );
      await write([order('a', ['x', 'y'])]);
      await expandAll(database.pool, projectId);
      const id = await write([order('a', [], { lines: [line(vanished === 'first' ? high : low, { price: 11 })] })]);
      let expanding: ReturnType<typeof expand> | undefined;
      await inTransaction(database.pool, async (client) => {
        const lock = (item: string) =>
          client.query('select from events where project_id = $1 and id = $2 for update', [
            projectId,
            expectedEventId('a', item),
          ]);
        await lock(low);
        expanding = expand(id);
        // The failure is checked below.
        expanding.catch(() => {});
        await untilWaiting(database.pool, 1);
        await lock(high);
      });
      expect(await expanding).toMatchObject({ orders: 1, isDone: true });
      expect(await findDifferences(database.pool, projectId)).toEqual([]);
    },
  );

  it('neither loses nor duplicates a line while many write and expand the same orders at once', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `o${n}`);
    const composition = (n: number, round: number) => [`i${n % 5}`, `r${round % 3}`, `r${(round + n) % 4}`];
    const writer = async (seed: number) => {
      for (let round = seed; round < seed + 6; round += 1) {
        await writeOrders(
          database.pool,
          request(projectId),
          ids.map((id, n) =>
            round % 5 === 4 && n % 3 === 0
              ? order(id, [], { status: 'cancelled' })
              : order(id, composition(n, round), { user: { kind: 'user', externalId: `u${round % 2}` } }),
          ),
        );
      }
    };
    let isWriting = true;
    const expander = async () => {
      while (isWriting) await expandAll(database.pool, projectId, 7);
    };
    const expanding = [expander(), expander(), expander()];
    await Promise.all([writer(0), writer(100), writer(200)]);
    isWriting = false;
    await Promise.all(expanding);
    await expandAll(database.pool, projectId);
    expect(await findDifferences(database.pool, projectId)).toEqual([]);
    expect((await readEvents(database.pool, projectId)).length).toBeGreaterThan(0);
    expect(
      (
        await database.pool.query('select from orders where project_id = $1 and expanded_revision <> revision', [
          projectId,
        ])
      ).rows,
    ).toHaveLength(0);
    expect(await openRequests(database.pool, projectId)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { writeOrders, type OrderWrite } from '../../../db/orders/writeOrders.ts';
import { purgeChunk } from '../../../db/people/purge.ts';
import { inTransaction } from '../../../db/pool.ts';
import { eventually } from '../../support/eventually.ts';
import { countLockWaits, untilWaiting } from '../../support/lockWaits.ts';
import { addItems, changeType, readFacts, sent, take } from '../../support/people/events.ts';
import { expandAll, line, order, readEvents, request } from '../../support/people/orders.ts';
import { addHistory, countHistory, identityOf, openJobs, remove } from '../../support/people/people.ts';
import { PROJECT_TABLES } from '../../support/people/peopleTables.ts';
import { FINGERPRINT, makePeople, stageDeletions } from './deletionStage.ts';

const people = stageDeletions();

/** The tables from which a deletion removes rows, except those of experiments, which have hashes (test/db/output). */
const ERASED = Object.entries(PROJECT_TABLES)
  .filter(([, { erases }]) => erases.endsWith('.ts') && erases !== 'people/experimentPeople.ts')
  .map(([table]) => table)
  .sort();

/** Returns the tables with a row that names one of the identities, or the user `u` or the device `d`. */
async function tablesNaming(ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of ERASED) {
    const { rowCount } = await people.pool.query(
      `select from (select to_jsonb(t) as row from ${table} t where project_id = $1) t
        where row ->> 'identity_id' = any($2) or coalesce(row ->> 'external_id', row ->> 'user_id') in ('u', 'd') limit 1`,
      [people.projectId, ids],
    );
    if (rowCount === 1) found.push(table);
  }
  return found;
}

async function addAnswerAndRejection(identityId: string): Promise<void> {
  await people.pool.query(
    `insert into output_snapshots (project_id, id, page, identity_id, path, mode, item_ids, first_position, scores, reasons, has_next)
     values ($1, 'answer', 1, $2, 'feed', 'x', '{}', 1, '{}', '[]', false)`,
    [people.projectId, identityId],
  );
  await people.pool.query(`insert into event_rejections (project_id, code, user_id) values ($1, 'x', 'u')`, [
    people.projectId,
  ]);
}
describe('purgeChunk', () => {
  // proves: users/rule-4, decisions-people/delete-purge
  it('removes everything about the person and nothing about others, and keeps the totals', async () => {
    const { user, device, stranger } = await makePeople(people);
    for (const id of [user, device, stranger]) await addHistory(people, id, { facts: 20, states: 10, orders: 5 });
    await people.pool.query(
      'insert into order_lines (project_id, order_id, item_id, quantity, price) select project_id, order_id, $2, 1, 2 from orders where project_id = $1',
      [people.projectId, 'item-1'],
    );
    await addAnswerAndRejection(user);
    const named = [user, device];
    expect(await tablesNaming(named)).toEqual(ERASED);
    await remove(people, 'user', 'u');
    expect(await people.purgeAll(user, false)).toBe(2 * (20 + 10 + 5) + 1 + 1 + 2);
    expect(await tablesNaming(named)).toEqual([]);
    for (const id of [user, device]) expect(await countHistory(people, id)).toEqual({ facts: 0, states: 0, orders: 0 });
    expect(await countHistory(people, stranger)).toEqual({ facts: 20, states: 10, orders: 5 });
    expect(
      await Promise.all([people.count('order_lines'), people.count('profiles'), people.count('device_logins')]),
    ).toEqual([5, 1, 0]);
    expect(await people.count('identities', 'and dead_at is not null and external_id is not null')).toBe(0);
    const { rows } = await people.pool.query(
      'select type, sum(events)::int as events, sum(value_sum) as values, count(*)::int as items from item_event_totals where project_id = $1 group by type order by type',
      [people.projectId],
    );
    expect(rows).toEqual([
      { type: 'like', events: 20, values: 20, items: 10 },
      { type: 'purchase', events: 10, values: 20, items: 1 },
      { type: 'share', events: 40, values: 80, items: 20 },
    ]);
  });

  it('removes values of any size', async () => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['a']);
    await take(
      pool,
      projectId,
      [1.7e308, 1.7e308, 1].map((value) => sent({ type: 'purchase', value })),
    );
    const user = await identityOf(people, 'user', 'u');
    await remove(people, 'user', 'u');
    await people.purgeAll(user, true);
    expect(await people.count('events')).toBe(0);
    expect(await people.count('item_event_totals', 'and events = 3 and value_sum > 1e200')).toBe(1);
  });

  // proves: intake/rule-1, decisions-events/ids-of-deleted
  it('keeps the ids of facts as hashes: a repeated fact changes nothing and creates no person', async () => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['a']);
    const events = Array.from({ length: 60 }, (_, index) => sent({ id: `fact-${index}` }));
    await take(pool, projectId, events);
    const user = await identityOf(people, 'user', 'u');
    await remove(people, 'user', 'u');
    const outcomes = [await take(pool, projectId, events)];
    await people.purgeAll(user, true);
    outcomes.push(await take(pool, projectId, events), await take(pool, projectId, events.slice(7, 9)));
    expect(outcomes).toEqual([60, 60, 2].map((duplicates) => ({ accepted: 0, duplicates, rejected: [] })));
    expect(await people.find('user', 'u')).toBeNull();
    expect(await people.count('events')).toBe(0);
    const { rows } = await pool.query('select id_hash::text from seen_event_ids where project_id = $1', [projectId]);
    expect(rows).toHaveLength(60);
    expect((await take(pool, projectId, [sent({ id: 'another' })])).accepted).toBe(1);
  });

  // proves: decisions-events/ids-of-deleted
  it('does not let a repeated login create the person again or link the device to them', async () => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['a']);
    const user = { userId: 'u', anonymousId: null, fingerprint: FINGERPRINT };
    const events = ['open', 'like', 'impression'].map((type) => sent({ id: `login-${type}`, type, user }));
    const takeAll = () => take(pool, projectId, events, { fingerprints: true });
    expect(await takeAll()).toMatchObject({ accepted: 3 });
    const root = await identityOf(people, 'user', 'u');
    await remove(people, 'user', 'u');
    await people.purgeAll(root, true);
    expect(await takeAll()).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
    expect(await people.find('user', 'u')).toBeNull();
    expect(await people.count('device_logins')).toBe(0);
  });

  // proves: decisions-events/ids-of-deleted
  it('also keeps the ids of facts that a deduplication window dropped', async () => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['a']);
    await changeType(pool, projectId, 'open', { dedup_window_sec: 60 });
    const events = [sent({ id: 'first' }), sent({ id: 'within' })];
    expect(await take(pool, projectId, events)).toMatchObject({ accepted: 1, duplicates: 1 });
    const root = await identityOf(people, 'user', 'u');
    await remove(people, 'user', 'u');
    await people.purgeAll(root, true);
    expect(await take(pool, projectId, events)).toEqual({ accepted: 0, duplicates: 2, rejected: [] });
    expect(await people.find('user', 'u')).toBeNull();
  });

  it('treats an event that names the order, and whose id only resembles that of a line, as a fact', async () => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['x']);
    await writeOrders(pool, request(projectId), [order('o1', ['x'], { user: { kind: 'user', externalId: 'u' } })]);
    await expandAll(pool, projectId);
    const other = sent({
      id: 'o:7',
      item: 'x',
      orderId: 'o1',
      user: { userId: 'v', anonymousId: null, fingerprint: null },
    });
    await take(pool, projectId, [other]);
    await writeOrders(pool, request(projectId), [
      order('o1', ['x', 'x2'], { user: { kind: 'user', externalId: 'u' } }),
    ]);
    await expandAll(pool, projectId);
    expect(await people.count('events', "and id = 'o:7'")).toBe(1);
    const root = await identityOf(people, 'user', 'u');
    await remove(people, 'user', 'u');
    await people.purgeAll(root, true);
    expect(await readFacts(pool, projectId)).toMatchObject([{ id: 'o:7' }]);
  });

  it('finds in the second pass what was written late, adds it to the totals, and closes the job', async () => {
    const { user, device } = await makePeople(people);
    await remove(people, 'user', 'u');
    await people.purgeAll(user, false);
    await addHistory(people, device, { facts: 3 });
    await addHistory(people, user, { states: 2 });
    expect(await openJobs(people)).toContainEqual({ kind: 'user-delete', entity: user });
    expect(await people.purgeAll(user, true)).toBe(5);
    expect((await openJobs(people)).map(({ kind }) => kind)).toEqual(['user-link']);
    const { rows } = await people.pool.query(
      'select sum(events)::int as events from item_event_totals where project_id = $1',
      [people.projectId],
    );
    expect(rows).toEqual([{ events: 5 }]);
  });

  it('removes the lines of an order that still show its former user', async () => {
    const { pool, projectId } = people;
    const of = (externalId: string) => order('moved', ['x', 'y'], { user: { kind: 'user', externalId } });
    await writeOrders(pool, request(projectId), [of('before')]);
    await expandAll(pool, projectId);
    await writeOrders(pool, request(projectId), [of('after')]);
    const root = await identityOf(people, 'user', 'after');
    await remove(people, 'user', 'after');
    await people.purgeAll(root, true);
    await expandAll(pool, projectId);
    expect(await readEvents(pool, projectId)).toEqual([]);
    const { rows } = await pool.query(
      'select item_id, events::int, value_sum from item_event_totals where project_id = $1 order by item_id',
      [projectId],
    );
    expect(rows).toEqual([
      { item_id: 'x', events: 1, value_sum: 10 },
      { item_id: 'y', events: 1, value_sum: 10 },
    ]);
  });

  /** Writes orders of the user `u`, expands them, writes them again, and purges the user before the next expansion. */
  async function purgeAfterChange(before: OrderWrite[], after: OrderWrite[]): Promise<unknown[]> {
    const { pool, projectId } = people;
    await writeOrders(pool, request(projectId), before);
    await expandAll(pool, projectId);
    await writeOrders(pool, request(projectId), after);
    const root = await identityOf(people, 'user', 'u');
    await remove(people, 'user', 'u');
    await people.purgeAll(root, true);
    await expandAll(pool, projectId);
    const { rows } = await pool.query(
      'select item_id as item, type, events::int, value_sum as values from item_event_totals where project_id = $1 order by item_id',
      [projectId],
    );
    return rows;
  }

  it('adds the lines of orders to the totals as they last were, and none of a cancelled order', async () => {
    const user = { kind: 'user', externalId: 'u' } as const;
    const totals = await purgeAfterChange(
      [order('cancelled', ['a'], { user }), order('cut', ['b', 'c'], { user }), order('kept', ['d'], { user })],
      [
        order('cancelled', [], { user, status: 'cancelled' }),
        order('cut', ['c'], { user, lines: [line('c', { quantity: 3 })] }),
        order('new', ['c'], { user, lines: [line('c', { price: null })] }),
      ],
    );
    expect(totals).toEqual([
      { item: 'c', type: 'purchase', events: 2, values: 30 },
      { item: 'd', type: 'purchase', events: 1, values: 10 },
    ]);
    expect(await readEvents(people.pool, people.projectId)).toEqual([]);
  });

  it('does not add an order to the totals if it now belongs to somebody else', async () => {
    const user = { kind: 'user', externalId: 'u' } as const;
    const totals = await purgeAfterChange([order('given', ['a'], { user })], [order('given', ['a'])]);
    expect(totals).toEqual([]);
    expect(await readEvents(people.pool, people.projectId)).toMatchObject([{ item_id: 'a', type: 'purchase' }]);
  });

  it('counts nothing twice if several run at once', async () => {
    const { user, device } = await makePeople(people);
    for (const id of [user, device]) await addHistory(people, id, { facts: 200, states: 100 });
    await remove(people, 'user', 'u');
    await Promise.all(Array.from({ length: 4 }, () => people.purgeAll(user, false, 30)));
    const { rows } = await people.pool.query(
      'select sum(events)::int as events, sum(value_sum) as values from item_event_totals where project_id = $1',
      [people.projectId],
    );
    expect(rows).toEqual([{ events: 600, values: 2 * 400 + 200 }]);
  });

  it('does not deadlock with another purge that has the same items', async () => {
    const { pool, projectId } = people;
    const doomed = async (name: string, factItem: string, stateItem: string): Promise<string> => {
      const id = await identityOf(people, 'user', name);
      await pool.query(
        `insert into events (project_id, id, identity_id, item_id, type, occurred_at) values ($1, $2, $3, $4, 'like', now())`,
        [projectId, name, id, factItem],
      );
      await pool.query(
        `insert into event_states (project_id, identity_id, item_id, type, value, occurred_at) values ($1, $2, $3, 'like', 1, now())`,
        [projectId, id, stateItem],
      );
      await remove(people, 'user', name);
      return id;
    };
    const [first, second] = [await doomed('first', 'a', 'b'), await doomed('second', 'b', 'a')];
    let both: Promise<number[]> | undefined;
    await inTransaction(pool, async (held) => {
      await held.query('select from event_states where project_id = $1 and identity_id = $2 for update', [
        projectId,
        first,
      ]);
      const waiting = people.purgeAll(first, true);
      await untilWaiting(pool, 1);
      let isOver = false;
      const other = people.purgeAll(second, true).finally(() => (isOver = true));
      await eventually(
        async () => isOver || (await countLockWaits(pool)) === 2,
        'the end of the other purge, or its wait',
      );
      both = Promise.all([waiting, other]);
    });
    expect(await both).toEqual([2, 2]);
    const { rows } = await pool.query(
      'select item_id, events::int from item_event_totals where project_id = $1 order by item_id',
      [projectId],
    );
    expect(rows).toEqual([
      { item_id: 'a', events: 2 },
      { item_id: 'b', events: 2 },
    ]);
  });

  it('handles 50 orders at a time, because each may have 200 lines', async () => {
    const { user } = await makePeople(people);
    await addHistory(people, user, { orders: 60 });
    await remove(people, 'user', 'u');
    const chunk = () =>
      purgeChunk(people.pool, { projectId: people.projectId, rootId: user, limit: 5_000, isLastPass: true });
    expect([await chunk(), await chunk()]).toEqual([
      { rows: 50, state: 'more' },
      { rows: 10, state: 'more' },
    ]);
  });

  it('does nothing without a job, and never purges people who have not been deleted', async () => {
    const { user } = await makePeople(people);
    await addHistory(people, user, { facts: 5 });
    expect(
      await purgeChunk(people.pool, { projectId: people.projectId, rootId: user, limit: 10, isLastPass: false }),
    ).toEqual({ rows: 0, state: 'over' });
    await people.pool.query(
      `insert into jobs (project_id, kind, entity_id, priority) values ($1, 'user-delete', $2, 4)`,
      [people.projectId, user],
    );
    expect(
      await purgeChunk(people.pool, { projectId: people.projectId, rootId: user, limit: 10, isLastPass: true }),
    ).toEqual({ rows: 0, state: 'over' });
    expect(await countHistory(people, user)).toMatchObject({ facts: 5 });
  });
});

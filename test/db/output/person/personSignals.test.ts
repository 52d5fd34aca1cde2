import { describe, expect, it } from '@jest/globals';
import { readOutputPerson } from '../../../../db/output/readBeforeRanking.ts';
import { NO_SIGNALS } from '../../../../db/output/person/personSignals.ts';
import { stageOutput } from '../../../output/support/outputStage.ts';

const stage = stageOutput({ deadlineMs: 0 });

const USER = { user_id: 'u' };
const DEVICE = { anonymous_id: 'd' };
const DAY_MS = 86_400_000;

const addItems = (...ids: string[]) => stage.addItems(ids.map((id) => ({ id, title: `Объект ${id}` })));

let events = 0;
async function send(user: object, type: string, item: string, { value, daysAgo = 0 }: Sent = {}) {
  events += 1;
  const occurred = new Date(Date.now() - daysAgo * DAY_MS - 60_000).toISOString();
  const event = { id: `e-${events}`, type, item, user, occurred_at: occurred, ...(value !== undefined && { value }) };
  expect((await stage.call('POST', '/events', { events: [event] })).status).toBe(202);
}
interface Sent {
  value?: number;
  daysAgo?: number;
}

async function signals(kind: 'user' | 'anonymous' = 'user', externalId = 'u') {
  const { pool } = stage.api;
  const person = await readOutputPerson(pool, stage.project.id, [{ kind, externalId }], { signals: true });
  return person?.signals ?? NO_SIGNALS;
}
const weights = async () =>
  Object.fromEntries((await signals()).items.map(({ item, weight }) => [item, Number(weight.toFixed(1))]));

describe('the signals read for a person', () => {
  // proves: output-shown/states-and-facts, decisions-people/link-readers
  it('combine the facts and states of the user and of the linked device', async () => {
    await addItems('a', 'b', 'c');
    await send(USER, 'open', 'a');
    await send(DEVICE, 'open', 'a');
    await send(DEVICE, 'view', 'b', { value: 96 });
    await send(USER, 'dislike', 'c', { value: 1 });
    await stage.call('POST', '/users/link', { user_id: 'u', anonymous_id: 'd' });
    expect(await weights()).toEqual({ a: 2, b: 2, c: -4 });
    expect((await signals('anonymous', 'd')).items).toHaveLength(3);
  });

  // proves: decisions-people/link-readers
  it('use the state that a link would keep if several devices have one', async () => {
    await addItems('liked', 'viewed');
    await send(DEVICE, 'like', 'liked', { value: 1, daysAgo: 2 });
    await send(USER, 'like', 'liked', { value: 0, daysAgo: 1 });
    await send(DEVICE, 'view', 'viewed', { value: 96, daysAgo: 1 });
    await send(USER, 'view', 'viewed', { value: 3 });
    await stage.call('POST', '/users/link', { user_id: 'u', anonymous_id: 'd' });
    expect(await weights()).toEqual({ viewed: 2 });
  });

  it('begin with the latest, and stop at the number of facts that count', async () => {
    const ids = Array.from({ length: 510 }, (_, n) => `i-${n}`);
    for (const some of [ids.slice(0, 255), ids.slice(255)])
      await stage.call('POST', '/items/batch', {
        operations: some.map((id) => ({ op: 'put', id, data: { type: 'text', title: id } })),
      });
    await stage.call('POST', '/events', {
      events: ids.map((item, n) => ({
        id: `many-${n}`,
        type: 'open',
        item,
        user: USER,
        occurred_at: new Date(Date.now() - (n + 1) * 60_000).toISOString(),
      })),
    });
    const { items } = await signals();
    expect(items.map(({ item }) => item)).toEqual(ids.slice(0, 500));
  });

  // proves: output-shown/signals
  it('change at once with the weight of a type', async () => {
    await addItems('a');
    await send(USER, 'open', 'a');
    await stage.api.pool.query(`update event_types set weight = 7 where project_id = $1 and code = 'open'`, [
      stage.project.id,
    ]);
    expect(await weights()).toEqual({ a: 7 });
  });

  it('include an order once, even before its events are made, and no cancelled order', async () => {
    await addItems('a', 'b');
    const order = (data: object) =>
      stage.call('POST', '/orders', { order_id: 'o-1', user: USER, items: [{ item: 'a', quantity: 1 }], ...data });
    await order({});
    expect(await weights()).toEqual({ a: 8 });
    // Stands for events of the first version, which the second version outdates.
    await stage.api.pool.query(
      `insert into events (project_id, id, identity_id, item_id, type, occurred_at, order_id)
       select project_id, 'o:' || repeat('0', 32), identity_id, 'a', 'purchase', now(), order_id from orders where project_id = $1`,
      [stage.project.id],
    );
    await order({ items: [{ item: 'b', quantity: 1 }] });
    expect(await weights()).toEqual({ b: 8 });
    await order({ status: 'cancelled' });
    expect(await weights()).toEqual({});
  });

  // proves: output-shown/personalization
  it('are empty without personalization, and for somebody who was deleted', async () => {
    await addItems('a');
    await send(USER, 'open', 'a');
    await stage.call('POST', '/users/profile', { user: USER, interests: ['кино'], city: 'Казань' });
    expect(await signals()).toMatchObject({ interests: ['кино'], city: 'казань', items: [{ item: 'a' }] });
    await stage.call('POST', '/users/profile', { user: USER, personalization: false });
    expect(await signals()).toEqual({ items: [], interests: [], followedAuthors: [], city: null, country: null });
    await stage.call('POST', '/users/profile', { user: USER, personalization: true });
    await stage.call('POST', '/users/delete', { user: USER });
    expect((await signals()).items).toEqual([]);
  });
});

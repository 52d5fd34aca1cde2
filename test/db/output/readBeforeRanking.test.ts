import { describe, expect, it } from '@jest/globals';
import { readOutputPerson } from '../../../db/output/readBeforeRanking.ts';
import { stageOutput } from '../../output/support/outputStage.ts';

const stage = stageOutput({ deadlineMs: 0 });
const similar = (user: object, others: object = {}) =>
  stage.call('POST', '/recommendations/similar', { item: 'subject', user, ...others });
const shownTo = async (user: object) => (await similar(user)).body.items.map(({ id }: { id: string }) => id).toSorted();

let events = 0;
async function send(user: object, type: string, item: string, { value, minutesAgo = 0 }: Sent = {}) {
  events += 1;
  const occurred = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const event = { id: `e-${events}`, type, item, user, occurred_at: occurred, ...(value !== undefined && { value }) };
  const { status } = await stage.call('POST', '/events', { events: [event] });
  expect(status).toBe(202);
}
interface Sent {
  value?: number;
  minutesAgo?: number;
}

const addItems = () =>
  stage.addItems([
    { id: 'subject', title: 'Предмет' },
    { id: 'one', title: 'Один', author: 'a-1', tags: ['кино'] },
    { id: 'two', title: 'Два', author: 'a-2' },
  ]);
const link = (userId: string, anonymousId: string) =>
  stage.call('POST', '/users/link', { user_id: userId, anonymous_id: anonymousId });

async function order(user: object, orderId: string, item: string) {
  const { status } = await stage.call('POST', '/orders', { order_id: orderId, user, items: [{ item }] });
  expect(status).toBe(202);
}

describe('the person of a request', () => {
  // proves: output-request/user
  it('is the one named by the first identifier, and somebody new if nobody has it', async () => {
    await addItems();
    await send({ anonymous_id: 'a' }, 'hide', 'one', { value: 1 });
    expect(await shownTo({ anonymous_id: 'a' })).toEqual(['two']);
    expect(await shownTo({ user_id: 'stranger', anonymous_id: 'a' })).toEqual(['one', 'two']);
  });

  it('is the only user who was seen with a fingerprint', async () => {
    await addItems();
    const { id } = stage.project;
    await send({ user_id: 'u' }, 'hide', 'one', { value: 1 });
    const fingerprint = '0b8f6cde-93b1-4f43-9f4c-7d8f3f3f0001';
    await stage.api.pool.query(
      `insert into device_logins (project_id, fingerprint, identity_id)
       select project_id, $2, id from identities where project_id = $1 and external_id = 'u'`,
      [id, fingerprint],
    );
    const read = (externalId: string) =>
      readOutputPerson(stage.api.pool, id, [{ kind: 'fingerprint', externalId }], { signals: false });
    expect((await read(fingerprint))?.hiddenItems).toEqual(['one']);
    expect(await read('0b8f6cde-93b1-4f43-9f4c-7d8f3f3f0002')).toBeNull();
  });
});

describe('the exclusions of a person', () => {
  // proves: output-shown/person-deleted
  it('come from any of the profiles, even before a link is finished', async () => {
    await addItems();
    await send({ anonymous_id: 'a' }, 'open', 'two');
    await link('u', 'a');
    expect(await shownTo({ user_id: 'u' })).toEqual(['one', 'two']);
    await stage.call('POST', '/users/profile', { user: { user_id: 'u' }, hidden_authors: ['a-2'] });
    await stage.api.pool.query(
      `insert into profiles (project_id, identity_id, excluded_interests, personalization)
       select project_id, id, '{кино}', false from identities where project_id = $1 and external_id = 'a'`,
      [stage.project.id],
    );
    expect(await shownTo({ user_id: 'u' })).toEqual([]);
    const person = await readOutputPerson(stage.api.pool, stage.project.id, [{ kind: 'user', externalId: 'u' }], {
      signals: false,
    });
    expect(person?.personalization).toBe(false);
  });

  // proves: output-shown/hides_item, decisions-people/link-readers
  it('do not include what was hidden on the device and restored by the user', async () => {
    await addItems();
    await send({ anonymous_id: 'a' }, 'hide', 'one', { value: 1, minutesAgo: 20 });
    await send({ anonymous_id: 'a' }, 'hide', 'two', { value: 0, minutesAgo: 20 });
    await send({ user_id: 'u' }, 'hide', 'one', { value: 0, minutesAgo: 10 });
    await send({ user_id: 'u' }, 'hide', 'two', { value: 1, minutesAgo: 10 });
    await link('u', 'a');
    expect(await shownTo({ user_id: 'u' })).toEqual(['one']);
    expect(await shownTo({ anonymous_id: 'a' })).toEqual(['one']);
  });

  // proves: decisions-people/link-readers
  it('include what was seen on the device, as soon as it is linked', async () => {
    await addItems();
    await send({ anonymous_id: 'a' }, 'open', 'one');
    await link('u', 'a');
    const unseenBy = async (user: object) =>
      (await similar(user, { include_seen: false })).body.items.map(({ id }: { id: string }) => id);
    expect([await unseenBy({ user_id: 'u' }), await unseenBy({ user_id: 'other' })]).toEqual([
      ['two'],
      expect.arrayContaining(['one', 'two']),
    ]);
  });

  // proves: output-shown/suppress-content
  it('use the largest value of a type that keeps the largest', async () => {
    await addItems();
    await stage.api.pool.query(
      `update event_types set suppress_similar_days = 1 where project_id = $1 and code = 'view'`,
      [stage.project.id],
    );
    const twoDays = 2 * 24 * 60;
    await send({ anonymous_id: 'a' }, 'view', 'one', { value: 90, minutesAgo: twoDays });
    await send({ user_id: 'u' }, 'view', 'one', { value: 10 });
    await send({ user_id: 'u' }, 'view', 'two', { value: 10 });
    expect(await shownTo({ user_id: 'u' })).toEqual([]);
    await link('u', 'a');
    // The longer view counts, but it is too long ago.
    expect(await shownTo({ user_id: 'u' })).toEqual(['one']);
  });

  // proves: output-shown/hides_item
  it('include an item hidden by a fact', async () => {
    await addItems();
    await stage.api.pool.query(`update event_types set hides_item = true where project_id = $1 and code = 'comment'`, [
      stage.project.id,
    ]);
    await send({ user_id: 'u' }, 'comment', 'one');
    expect(await shownTo({ user_id: 'u' })).toEqual(['two']);
  });

  // proves: output-shown/suppress-content, output-shown/hides_item
  it.each(['suppress_similar_days = 30', 'hides_item = true'])(
    'begin with the answer to an order, not with the events that it becomes (%s)',
    async (setting) => {
      await addItems();
      await stage.api.pool.query(`update event_types set ${setting} where project_id = $1 and code = 'purchase'`, [
        stage.project.id,
      ]);
      const user = { anonymous_id: 'a' };
      await order(user, 'o-1', 'one');
      expect(await shownTo(user)).toEqual(['two']);
      await link('u', 'a');
      expect(await shownTo({ user_id: 'u' })).toEqual(['two']);
      await order(user, 'o-1', 'two');
      expect(await shownTo(user)).toEqual(['one']);
      await stage.call('POST', '/orders', { order_id: 'o-1', user, status: 'cancelled' });
      expect(await shownTo(user)).toEqual(['one', 'two']);
    },
  );
});

describe('what a person has seen', () => {
  // proves: output-request/include_seen
  it('includes an order before its events are made', async () => {
    await addItems();
    const user = { user_id: 'u' };
    await order(user, 'o-1', 'one');
    const unseen = { include_seen: false };
    const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);
    expect(idsOf(await similar(user, unseen))).toEqual(['two']);
    const found = await stage.call('POST', '/search', { query: 'один', user, ...unseen });
    expect([idsOf(found), found.body.total.value]).toEqual([[], 0]);
  });
});

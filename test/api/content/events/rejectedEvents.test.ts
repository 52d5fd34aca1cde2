import { describe, expect, it } from '@jest/globals';
import { addItems, changeType, readFacts } from '../../../support/people/events.ts';
import { clientOf, createTestProject } from '../../support/testApi.ts';
import { ago, DAY_MS, detailsOf, event, stageEvents } from './eventsStage.ts';

const stage = stageEvents();

describe('an event is rejected if it', () => {
  // proves: events/type
  it('has a type that is unknown or has just been switched off', async () => {
    expect(await stage.rejection({ type: 'nothing' })).toBe('unknown_type');
    expect(await stage.rejection({ type: '' })).toBe('unknown_type');
    expect(await stage.rejection({ type: 'open' })).toBe(null);
    await changeType(stage.database.pool, stage.project.id, 'open', { is_active: false });
    expect(await stage.rejection({ type: 'open' })).toBe('inactive_type');
  });

  // proves: events/item
  it('names an item that is not in the catalogue', async () => {
    expect(await stage.rejection({ item: '' })).toBe('unknown_item');
    expect(await stage.rejection({ item: 'A' })).toBe('unknown_item');
  });

  // proves: person/at-least-one, events/user, decisions-events/no-user
  it('names no identifier that the project uses', async () => {
    const fingerprint = { fingerprint_uuid: '0F8FAD5B-D9CB-469F-A165-70867728950E' };
    expect(await stage.rejection({ user: {} })).toBe('no_user');
    expect(await stage.rejection({ user: { user_id: null, anonymous_id: null, fingerprint_uuid: null } })).toBe(
      'no_user',
    );
    expect(await stage.rejection({ user: fingerprint })).toBe('no_user');
    const other = await createTestProject(stage.database.pool);
    await stage.database.pool.query('update projects set fingerprints = true where id = $1', [other.id]);
    await addItems(stage.database.pool, other.id, ['a']);
    expect(
      (await clientOf(stage.api.content, other.key)('POST', '/events', { events: [event({ user: fingerprint })] })).body
        .accepted,
    ).toBe(1);
  });

  // proves: events/user, decisions-events/malformed-identifier
  it('has a malformed user', async () => {
    const astral = '𐀀'.repeat(191);
    const bad = [
      { user_id: '' },
      { user_id: `${astral}x` },
      { user_id: 'x'.repeat(192) },
      { anonymous_id: 'ё' },
      { anonymous_id: '' },
      { anonymous_id: 'x'.repeat(192) },
      { fingerprint_uuid: 'not-a-uuid' },
      { user_id: 'u', anonymous_id: '\t' },
    ];
    for (const user of bad) expect([user, await stage.rejection({ user })]).toEqual([user, 'invalid_user']);
    expect(await stage.rejection({ user: { user_id: astral } })).toBe(null);
    expect(await stage.rejection({ user: { anonymous_id: ' ~'.repeat(95) } })).toBe(null);
  });

  // proves: events/value
  it('has a value outside the range of its kind', async () => {
    const values: [string, unknown, string | null][] = [
      ['view', 0, null],
      ['view', 100, null],
      ['view', 100.1, 'invalid_value'],
      ['view', -1, 'invalid_value'],
      ['view', null, 'invalid_value'],
      ['watch', 0, null],
      ['watch', 1e9, null],
      ['watch', -0.1, 'invalid_value'],
      ['purchase', -5.5, null],
      ['purchase', null, null],
      ['like', 1, null],
      ['like', 0, null],
      ['like', null, null],
      ['like', 2, 'invalid_value'],
      ['like', 0.5, 'invalid_value'],
      ['open', -1e300, null],
      ['impression', 5, null],
    ];
    for (const [type, value, expected] of values)
      expect([type, value, await stage.rejection({ type, value })]).toEqual([type, value, expected]);
  });

  // proves: events/position, events/quantity, events/price, decisions-events/element-values
  it('has a position, quantity or price that is out of range', async () => {
    for (const change of [
      { position: -1 },
      { position: 65_536 },
      { position: 1e15 },
      { quantity: -1 },
      { price: -0.01 },
    ]) {
      expect([change, await stage.rejection(change)]).toEqual([change, 'invalid_value']);
    }
    expect(await stage.rejection({ position: 0, quantity: 0, price: 0 })).toBe(null);
  });

  // proves: decisions-events/element-values
  it.each<[string, object, string]>([
    // proves: events/id, limits/order_id
    ['a long id', { id: 'x'.repeat(65) }, 'invalid_value'],
    // proves: events/id
    ['an empty id', { id: '' }, 'invalid_value'],
    // proves: events/id, limits/order_id
    ['an id outside ASCII', { id: 'ё' }, 'invalid_value'],
    ['an id with a NUL', { id: 'a\0' }, 'invalid_value'],
    // proves: events/item, decisions-events/impossible-item
    ['a long item', { item: 'ё'.repeat(192) }, 'unknown_item'],
    // proves: intake/rule-4, decisions-events/impossible-item
    ['an item with a NUL', { item: 'a\0' }, 'unknown_item'],
    // proves: decisions-events/impossible-item
    ['an item of half a character', { item: '\ud800' }, 'unknown_item'],
    ['a type with a NUL', { type: 'open\0' }, 'unknown_type'],
    ['a user_id with a NUL', { user: { user_id: 'a\0b' } }, 'invalid_user'],
    // proves: events/surface, intake/rule-4
    ['a long surface', { surface: 'x'.repeat(17) }, 'invalid_value'],
    ['a surface with a NUL', { surface: '\0' }, 'invalid_value'],
    // proves: events/order_id
    ['a long order_id', { order_id: 'x'.repeat(65) }, 'invalid_value'],
    // proves: events/order_id, limits/order_id
    ['an empty order_id', { order_id: '' }, 'invalid_value'],
    // proves: events/order_id, limits/order_id
    ['an order_id outside ASCII', { order_id: 'заказ' }, 'invalid_value'],
    ['a very long recommendation_id', { recommendation_id: 'x'.repeat(1_001) }, 'invalid_value'],
    ['a recommendation_id of half a character', { recommendation_id: '\udfff' }, 'invalid_value'],
    // proves: events/occurred_at
    ['a time without a zone', { occurred_at: '2026-11-20T10:00:00' }, 'invalid_value'],
    ['a day that does not exist', { occurred_at: '2026-02-29T10:00:00Z' }, 'invalid_value'],
    ['an empty time', { occurred_at: '' }, 'invalid_value'],
  ])('has %s, and the others are accepted', async (_name, change, code) => {
    const bad = event(change);
    const { status, body } = await stage.post(event(), bad, event({ type: 'purchase', order_id: 'o-1' }));
    expect([status, body]).toEqual([
      202,
      { accepted: 2, duplicates: 0, rejected: [{ index: 1, id: bad['id'], code }] },
    ]);
  });

  it.each(['value', 'quantity', 'price', 'position'])('has a %s that is too large for a number', async (field) => {
    const text = JSON.stringify({ events: [event({ type: 'purchase', [field]: 12_345 }), event()] });
    const answer = await stage.call('POST', '/events', text.replace('12345', '1e999'));
    expect([answer.status, answer.body.accepted, answer.body.rejected[0]?.code]).toEqual([202, 1, 'invalid_value']);
  });

  // proves: events/recommendation_id
  it('has a recommendation_id of over 1,000 characters, but not one of 1,000', async () => {
    expect(await stage.rejection({ recommendation_id: 'ё'.repeat(1_000) })).toBe(null);
  });

  // proves: events/occurred_at, limits/age
  it('is older than 730 days', async () => {
    expect(await stage.rejection({ occurred_at: ago(730 * DAY_MS + 60_000) })).toBe('too_old');
    expect(await stage.rejection({ occurred_at: ago(730 * DAY_MS - 60_000) })).toBe(null);
  });

  // proves: events/EventRejection, decisions-events/order-managed-id
  it('has the id of an order line, which only POST /orders may send', async () => {
    const digits = '0123456789abcdef'.repeat(2);
    for (const type of ['open', 'like', 'view', 'impression', 'purchase'])
      expect([type, await stage.rejection({ id: `o:${digits}`, type, value: 1 })]).toEqual([type, 'order_managed']);
    const others = [
      `o:${digits.toUpperCase()}`,
      `O:${digits}`,
      `o:${digits.slice(1)}`,
      `o:${digits}0`,
      `o:${digits.slice(1)}g`,
      `xo:${digits}`,
      digits,
    ];
    for (const id of others) expect([id, await stage.rejection({ id })]).toEqual([id, null]);
  });

  // proves: events/EventRejection, decisions-events/order-managed-order
  it('is a purchase of an order that POST /orders manages, even of a cancelled one', async () => {
    const user = { user_id: 'u' };
    const other = await createTestProject(stage.database.pool);
    await stage.call('POST', '/orders', { order_id: 'kept', user, items: [{ item: 'a' }] });
    await stage.call('POST', '/orders', { order_id: 'cancelled', user, status: 'cancelled' });
    await clientOf(stage.api.content, other.key)('POST', '/orders', { order_id: 'elsewhere', user, items: [] });
    expect(await stage.rejection({ type: 'purchase', order_id: 'kept' })).toBe('order_managed');
    expect(await stage.rejection({ type: 'purchase', order_id: 'cancelled' })).toBe('order_managed');
    expect(await stage.rejection({ type: 'purchase', order_id: 'other' })).toBe(null);
    expect(await stage.rejection({ type: 'purchase', order_id: 'elsewhere' })).toBe(null);
    expect(await stage.rejection({ type: 'purchase', order_id: null })).toBe(null);
    expect(await stage.rejection({ type: 'cart', order_id: 'kept' })).toBe(null);
  });

  it('names an unknown item, and it then leaves nothing behind, not even its id', async () => {
    await stage.post(event({ id: 'again', item: 'late', user: { user_id: 'nobody' } }));
    const { rows } = await stage.database.pool.query('select from identities where project_id = $1', [
      stage.project.id,
    ]);
    expect(rows).toHaveLength(0);
    await addItems(stage.database.pool, stage.project.id, ['late']);
    expect((await stage.post(event({ id: 'again', item: 'late' }))).body.accepted).toBe(1);
  });
});

describe('the whole request gets 422 for', () => {
  // proves: decisions-events/whole-request
  it.each([
    // proves: events/id
    ['a missing field', { id: undefined }, 'events[1].id', 'required'],
    // proves: events/type
    ['a missing type', { type: undefined }, 'events[1].type', 'required'],
    // proves: events/item
    ['a missing item', { item: undefined }, 'events[1].item', 'required'],
    // proves: events/user
    ['a missing user', { user: undefined }, 'events[1].user', 'required'],
    ['an unknown field', { colour: 1 }, 'events[1].colour', 'unknown_field'],
    ['an unknown field of the user', { user: { email: 'x' } }, 'events[1].user.email', 'unknown_field'],
    ['a value of the wrong type', { value: '5' }, 'events[1].value', 'invalid_type'],
    ['a user of the wrong type', { user: 'u' }, 'events[1].user', 'invalid_type'],
    ['no user at all', { user: null }, 'events[1].user', 'invalid_type'],
    ['an identifier of the wrong type', { user: { user_id: 5 } }, 'events[1].user.user_id', 'invalid_type'],
    ['a device of the wrong type', { user: { anonymous_id: 5 } }, 'events[1].user.anonymous_id', 'invalid_type'],
    [
      'a fingerprint of the wrong type',
      { user: { fingerprint_uuid: 5 } },
      'events[1].user.fingerprint_uuid',
      'invalid_type',
    ],
    ['an id of the wrong type', { id: 5 }, 'events[1].id', 'invalid_type'],
    ['an id of null', { id: null }, 'events[1].id', 'invalid_type'],
    ['a type of the wrong type', { type: 5 }, 'events[1].type', 'invalid_type'],
    ['an item of the wrong type', { item: 5 }, 'events[1].item', 'invalid_type'],
    ['a time of the wrong type', { occurred_at: 5 }, 'events[1].occurred_at', 'invalid_type'],
    ['a recommendation_id of the wrong type', { recommendation_id: 5 }, 'events[1].recommendation_id', 'invalid_type'],
    ['a surface of the wrong type', { surface: 5 }, 'events[1].surface', 'invalid_type'],
    ['a position of the wrong type', { position: '5' }, 'events[1].position', 'invalid_type'],
    ['an order_id of the wrong type', { order_id: 5 }, 'events[1].order_id', 'invalid_type'],
    ['a quantity of the wrong type', { quantity: '5' }, 'events[1].quantity', 'invalid_type'],
    ['a price of the wrong type', { price: '5' }, 'events[1].price', 'invalid_type'],
    // proves: decisions-faults/fraction
    ['half a position', { position: 1.5 }, 'events[1].position', 'invalid_type'],
  ])('%s', async (_name, change, field, code) => {
    const answer = await stage.post(event(), event(change));
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([[field, code]]);
    expect(await readFacts(stage.database.pool, stage.project.id)).toEqual([]);
  });

  // proves: service/6, intake/events
  it('a body without events or with other fields, and malformed events', async () => {
    expect(detailsOf(await stage.call('POST', '/events', {}))).toEqual([['events', 'required']]);
    expect(detailsOf(await stage.call('POST', '/events', { events: {} }))).toEqual([['events', 'invalid_type']]);
    expect(detailsOf(await stage.post(null))).toEqual([['events[0]', 'invalid_type']]);
    const more = await stage.call('POST', '/events', { events: [event()], more: 1 });
    expect([more.status, detailsOf(more)]).toEqual([422, [['more', 'unknown_field']]]);
    expect(await readFacts(stage.database.pool, stage.project.id)).toEqual([]);
  });
});

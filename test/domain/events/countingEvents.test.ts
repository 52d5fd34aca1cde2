import { describe, expect, it } from '@jest/globals';
import { eventIdHash } from '../../../domain/events/rememberedIds.ts';
import { winningStates, outsideWindows, windowSlots, type PersonEvent } from '../../../domain/events/countingEvents.ts';
import { DEFAULT_EVENT_TYPES, type EventType } from '../../../domain/events/eventTypes.ts';

function type(code: string, change: Partial<EventType> = {}): EventType {
  const found = DEFAULT_EVENT_TYPES.find((each) => each.code === code);
  if (!found) throw new Error(`no type ${code}`);
  return { ...found, ...change };
}

function event(change: Partial<PersonEvent>, at = 0): PersonEvent {
  return {
    id: `${at}`,
    type: type('like'),
    item: 'a',
    identityId: '1',
    identifier: { kind: 'user', externalId: 'u' },
    loginOn: null,
    value: 1,
    occurredAt: new Date(at * 1000),
    recommendationId: null,
    surface: null,
    position: null,
    orderId: null,
    quantity: null,
    price: null,
    ...change,
  };
}

describe('the states that are stored', () => {
  it('come in the same order whatever the order of the events', () => {
    const events = ['b', 'a', 'c'].flatMap((item) => ['2', '10', '1'].map((identityId) => event({ item, identityId })));
    const keys = (list: readonly PersonEvent[]) =>
      winningStates(list).map(({ item, identityId }) => `${identityId}${item}`);
    expect(keys(events)).toHaveLength(9);
    expect(keys(events.toReversed())).toEqual(keys(events));
  });
});

describe('the order of states', () => {
  it('is that of UTF-8 bytes, as the database locks them', () => {
    const items = ['a', 'a!', 'ab', 'я', '\ud7ff', '\ue000', '\uffff', '😀', '😀a', '\u{10ffff}'];
    const expected = items.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(expected.indexOf('\uffff')).toBeLessThan(expected.indexOf('😀'));
    expect(winningStates(items.toReversed().map((item) => event({ item }))).map(({ item }) => item)).toEqual(expected);
  });
});

describe('a window', () => {
  const opened = (at: number, item = 'a') => event({ type: type('open', { dedup_window_sec: 10 }), item }, at);
  const kept = (...events: PersonEvent[]) => outsideWindows(events).map(({ id, item }) => `${id}${item}`);

  it('drops facts closer than its length to one that was kept earlier in the list', () => {
    expect(kept(opened(20), opened(29.999), opened(30), opened(10.001), opened(10), opened(25, 'b'))).toEqual([
      '20a',
      '30a',
      '10a',
      '25b',
    ]);
  });

  it('is not opened by a dropped fact', () => {
    expect(kept(opened(0), opened(9), opened(11))).toEqual(['0a', '11a']);
  });

  it('belongs to one of 64 slots, which are ascending and unique', () => {
    const slots = windowSlots(Array.from({ length: 5_000 }, (_, n) => event({ item: `item-${n % 2_500}` })));
    expect(slots).toEqual(Array.from({ length: 64 }, (_, slot) => slot));
  });
});

describe('the hash of an id', () => {
  it('is the first half of its SHA-256, as a UUID', () => {
    // FIPS 180-2, appendix B.1: SHA-256 of "abc" begins ba7816bf 8f01cfea 414140de 5dae2223.
    expect(eventIdHash('abc')).toBe('ba7816bf-8f01-cfea-4141-40de5dae2223');
  });
});

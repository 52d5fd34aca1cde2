import { describe, expect, it } from '@jest/globals';
import type { CollectedEvent, CollectedOrder } from '../../../domain/collect/collected.ts';
import type { Goal } from '../../../domain/sites/goalDefinition.ts';
import { event, VisitorRun } from './visitorRun.ts';

const goal = (given: Partial<Goal>): Goal => ({
  code: 'g',
  title: 'Goal',
  type: 'js',
  match: null,
  value: null,
  enabled: true,
  ...given,
});
const order = (given: Partial<CollectedOrder> = {}): CollectedOrder => ({
  transaction_id: 't1',
  revenue: 250.5,
  currency: null,
  products: null,
  promo_code: null,
  ...given,
});

function conversionsOf(goals: Goal[], ...events: CollectedEvent[]) {
  const run = new VisitorRun({ goals });
  run.hits(...events);
  return run.outcome.conversions;
}

/** Returns the codes of the goals that the hits reach. */
const reached = (goals: Goal[], ...events: CollectedEvent[]): string[] =>
  conversionsOf(goals, ...events).map((conversion) => conversion.goal);

describe('goals are reached by', () => {
  // proves: decisions-analytics/goal-reached
  it('the command with their code', () => {
    const goals = [goal({ code: 'lead' }), goal({ code: 'call', enabled: false })];
    expect(
      reached(
        goals,
        event(0, { type: 'goal', name: 'lead' }),
        event(1, { type: 'goal', name: 'call' }),
        event(2, { type: 'goal', name: 'none' }),
        event(3, { type: 'event', name: 'lead' }),
      ),
    ).toEqual(['lead']);
  });

  // proves: analytics-decisions/url-goals
  // proves: decisions-analytics/goal-reached
  it.each([
    ['eq', 'https://shop.example/thanks?a=1', true],
    ['eq', 'https://shop.example/thanks', true],
    ['eq', 'https://shop.example/thanks/', true],
    ['eq', 'HTTPS://Shop.example/thanks/?a=1', true],
    ['eq', '/thanks?a=2', false],
    ['eq', '/thank', false],
    ['eq', '/thanks?a=1/', false],
    ['eq', '/thanks#top', false],
    ['eq', '/thanks?a=1', true],
    ['eq', '/thanks', true],
    ['starts', 'https://shop.example/th', true],
    ['starts', '/th', true],
    ['starts', 'shop.example', false],
    ['contains', 'hanks?a', true],
    ['contains', 'HANKS', false],
    ['regex', '^https://[a-z.]+/thanks', true],
    ['regex', '/thanks$', false],
    ['regex', 'a=\\d', true],
    ['eq', '', false],
  ] as const)('pages whose address %s %s: %s', (op, value, isReached) => {
    const page = event(0, { url: 'https://shop.example/thanks?a=1' });
    expect(reached([goal({ type: 'url', match: { op, value } })], page)).toEqual(isReached ? ['g'] : []);
    expect(reached([goal({ type: 'url', match: { op, value } })], { ...page, type: 'click' })).toEqual([]);
  });

  const ENCODED =
    'https://xn--e1afmkfd.xn--p1ai/%D1%81%D0%BF%D0%B0%D1%81%D0%B8%D0%B1%D0%BE/?q=%D1%87%D0%B0%D0%B9%20%2F#%D0%B0';
  // proves: analytics-decisions/url-goals
  it.each([
    ['eq', '/спасибо', true],
    ['eq', 'https://пример.рф/спасибо/', true],
    ['eq', 'https://xn--e1afmkfd.xn--p1ai/%d1%81%D0%BF%D0%B0%D1%81%D0%B8%D0%B1%D0%BE', true],
    ['eq', '/спасибо?q=чай %2F', true],
    ['eq', '/спасибо?q=чай /', false],
    ['eq', '/спасибо#а', true],
    ['eq', '/спасибо#б', false],
    ['starts', '/спас', true],
    ['starts', 'https://пример.рф/', true],
    ['contains', 'пример.рф', true],
    ['contains', '%D1%87%D0%B0%D0%B9', true],
    ['regex', '^https://пример\\.рф/спасибо', true],
    ['regex', 'q=чай'.normalize('NFD'), true],
    ['regex', 'q=%D1%87%D0%B0%D0%B9', true],
    ['regex', 'xn--e1afmkfd\\.xn--p1ai', true],
    ['regex', '/[а-я]+/\\?', true],
  ] as const)('pages whose decoded address %s %s: %s', (op, value, isReached) => {
    const page = event(0, { url: ENCODED });
    expect(reached([goal({ type: 'url', match: { op, value } })], page)).toEqual(isReached ? ['g'] : []);
  });

  it('pages whose address has malformed escapes', () => {
    const page = event(0, { url: 'https://shop.example/%ff%zz?a=%' });
    expect(reached([goal({ type: 'url', match: { op: 'eq', value: '/%FF%zz' } })], page)).toEqual(['g']);
  });

  // proves: decisions-analytics/goal-reached
  it('events with their name, forms, and purchases', () => {
    const goals = [
      goal({ code: 'e', type: 'event', match: { name: 'play' } }),
      goal({ code: 'f', type: 'form', match: { form_id: 'order' } }),
      goal({ code: 'any', type: 'form', match: {} }),
      goal({ code: 'p', type: 'purchase' }),
    ];
    expect(
      reached(goals, event(0, { type: 'event', name: 'play' }), event(1, { type: 'event', name: 'stop' })),
    ).toEqual(['e']);
    expect(reached(goals, event(0, { type: 'form', name: 'order' }), event(1, { type: 'form', name: null }))).toEqual([
      'f',
      'any',
      'any',
    ]);
    expect(
      reached(goals, event(0, { type: 'purchase', order: order() }), event(1, { type: 'refund', order: order() })),
    ).toEqual(['p']);
  });

  // proves: decisions-analytics/goal-again
  it('each hit in a visit again, but a purchase once per transaction, whichever visit it is in', () => {
    const js = goal({ code: 'lead' });
    expect(reached([js], event(0, { type: 'goal', name: 'lead' }), event(1, { type: 'goal', name: 'lead' }))).toEqual([
      'lead',
      'lead',
    ]);
    const bought = (at: number, id: string) => event(at, { type: 'purchase', order: order({ transaction_id: id }) });
    const ids = conversionsOf(
      [goal({ type: 'purchase' })],
      bought(0, 'a'),
      bought(1, 'a'),
      bought(2, 'b'),
      bought(86_400_000, 'a'),
    ).map(({ id }) => id);
    expect([ids[1], ids[3]]).toEqual([ids[0], ids[0]]);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a conversion', () => {
  it('has the value of its hit, otherwise that of its goal', () => {
    const values = (value: unknown, fixed: number | null) =>
      conversionsOf([goal({ value: fixed })], event(0, { type: 'goal', name: 'g', params: { value } })).map(
        (conversion) => conversion.value,
      );
    expect(values(7.25, 5)).toEqual([7.25]);
    expect(values('7', 5)).toEqual([5]);
    expect(values(Number.NaN, 5)).toEqual([5]);
    expect(values(undefined, null)).toEqual([null]);
  });

  it('of a purchase has its revenue in the site’s money if the goal has no value and the rate is known', () => {
    const value = (currency: string | null, fixed: number | null) =>
      conversionsOf(
        [goal({ type: 'purchase', value: fixed })],
        event(0, { type: 'purchase', order: order({ currency }) }),
      )[0]?.value;
    expect([
      value(null, null),
      value('RUB', null),
      value('USD', null),
      value('EUR', null),
      value('RUB', 9),
      value('USD', 9),
    ]).toEqual([250.5, 250.5, 20_040, null, 9, 9]);
  });

  // proves: report-dimensions/goal-sources
  it('names its source, its visit and its own id, the same whenever it is ingested', () => {
    const goals = [
      goal({ code: 'a' }),
      goal({ code: 'b', type: 'url', match: { op: 'contains', value: '/' } }),
      goal({ code: 'c', type: 'event', match: { name: 'x' } }),
      goal({ code: 'd', type: 'form' }),
      goal({ code: 'e', type: 'purchase' }),
    ];
    const events = [
      event(0),
      event(1, { type: 'goal', name: 'a' }),
      event(2, { type: 'event', name: 'x' }),
      event(3, { type: 'form' }),
      event(4, { type: 'purchase', order: order() }),
    ];
    const first = conversionsOf(goals, ...events);
    expect(first.map((one) => [one.goal, one.goalSource])).toEqual([
      ['b', 'url'],
      ['a', 'tag'],
      ['c', 'event'],
      ['d', 'event'],
      ['e', 'event'],
    ]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(5);
    expect(new Set(first.map(({ visit }) => visit.row.visit_id)).size).toBe(1);
    expect(conversionsOf(goals, ...events).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });
});

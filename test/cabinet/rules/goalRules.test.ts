/** The request of the goal form, checked against the API's rules. */
import { describe, expect, it } from '@jest/globals';
import { reachedByCode } from '../../../cabinet/src/data/sites/goals.ts';
import {
  draftOf,
  NEW,
  OPS,
  putOf,
  tryOf,
  TYPES,
  wrongFieldsOf,
  type Draft,
} from '../../../cabinet/src/pages/analytics/goal/goalDraft.ts';
import { conditionText } from '../../../cabinet/src/pages/analytics/goals/conditionText.ts';
import { goals as words } from '../../../cabinet/src/words/en/analytics/goals.ts';
import { goalMatchFaults } from '../../../domain/schemas/goalMatch.ts';
import { GOAL_TYPES, URL_GOAL_OPS, type Goal } from '../../../domain/sites/goalDefinition.ts';

const NONE: ReadonlySet<string> = new Set();
const draft = (changes: Partial<Draft> = {}): Draft => ({
  ...NEW,
  code: 'checkout',
  title: ' Order placed ',
  address: ' /thanks ',
  event: ' video-started ',
  form: ' order ',
  ...changes,
});
const goal = (type: Goal['type'], match: Goal['match'] = null, value: number | null = null): Goal => ({
  code: 'checkout',
  title: 'Order placed',
  type,
  match,
  value,
  enabled: false,
});
const GOALS: Goal[] = [
  goal('js', null, 150.5),
  ...URL_GOAL_OPS.map((op) => goal('url', { op, value: '/thanks' })),
  goal('event', { name: 'video-started' }, 0),
  goal('form', { form_id: 'order' }),
  goal('form'),
  goal('purchase', null, 1e12),
];

describe('the form of a goal', () => {
  it('offers every type and every comparison', () => {
    expect([...TYPES].toSorted()).toEqual([...GOAL_TYPES].toSorted());
    expect([...OPS].toSorted()).toEqual([...URL_GOAL_OPS].toSorted());
  });

  const longAmounts = [100 / 3, 1e-7, 1 / 700_000].map((value) => goal('js', null, value));

  it.each([...GOALS, ...longAmounts])('sends an unchanged goal as it was: $type $match', (one) => {
    const { code, ...rest } = one;
    expect(wrongFieldsOf(draftOf(one), NONE)).toEqual(new Set());
    expect(putOf(draftOf(one))).toEqual(rest);
    expect(draftOf(one).code).toBe(code);
  });

  it.each(TYPES)('sends no fields of other types: %s', (type) => {
    const { match = null } = putOf(draft({ type }));
    expect(goalMatchFaults(type, match)).toEqual([]);
    expect(tryOf(draft({ type }))).toEqual(type === 'js' ? null : { type, match });
  });

  it('trims spaces around texts, but not in patterns', () => {
    expect(putOf(draft())).toMatchObject({ title: 'Order placed', match: { op: 'starts', value: '/thanks' } });
    expect(putOf(draft({ op: 'regex', address: 'a ' })).match).toEqual({ op: 'regex', value: 'a ' });
  });

  it.each<[string[], Partial<Draft>]>([
    [['code'], { code: 'Checkout' }],
    [['code'], { code: '' }],
    [['taken'], { code: 'lead' }],
    [['title'], { title: ' ' }],
    [['address'], { address: ' ' }],
    [['event'], { type: 'event', event: '' }],
    [['value'], { value: '-1' }],
    [['value'], { value: 'much' }],
    [[], { type: 'form', form: '', address: '' }],
    [[], { value: ' 19,5 ' }],
  ])('says that %j is wrong for %j', (wrong, changes) => {
    expect([...wrongFieldsOf(draft(changes), new Set(['lead']))]).toEqual(wrong);
  });

  it('reads a comma as a decimal point, and an empty field as no value', () => {
    expect(putOf(draft({ value: '19,5' })).value).toBe(19.5);
    expect(putOf(draft({ value: '' })).value).toBeNull();
  });
});

describe('the list of goals', () => {
  it('describes what reaches each goal', () => {
    expect(GOALS.map((one) => conditionText(one, words))).toEqual([
      "the tag’s call svc('goal', 'checkout')",
      'the address /thanks',
      'an address that contains /thanks',
      'an address that begins with /thanks',
      'an address that matches /thanks',
      'the event video-started',
      'the form order',
      'any form',
      'any purchase',
    ]);
  });

  it('finds the count of each goal by its code, whether the report names the goal or not', () => {
    const row = (label: string | { id: string; name: string } | null, count: number) => ({
      dimensions: [label],
      metrics: [count],
    });
    const report = { data: [row({ id: 'lead', name: 'Lead' }, 3), row('gone', 1)] };
    expect(reachedByCode(report as Parameters<typeof reachedByCode>[0])).toEqual(
      new Map([
        ['lead', 3],
        ['gone', 1],
      ]),
    );
  });
});

/** The form of POST /conversions: faults that fail the whole request, and oddities that are accepted. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { addVisitorWithVisit } from '../../support/people/siteFacts.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, type Client } from '../support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../support/testSite.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
  await createTestGoal(stage.database.pool, site.id, 'lead');
});

async function stored(id: string) {
  const { rows } = await stage.database.pool.query<Record<string, unknown>>(
    `select goal, visitor_id, user_id, value::float8 as value from site_conversions where site_id = $1 and id = $2 and origin = 'api'`,
    [site.id, id],
  );
  return rows[0];
}

const faultsOf = async (body: unknown): Promise<[string, string][]> => {
  const answer = await call('POST', '/conversions', body);
  expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed']);
  return answer.body.error.details.map(({ field, code }: { field: string; code: string }) => [field, code]);
};

describe('POST /conversions', () => {
  // proves: analytics-ids/user_id, conversion/id, conversion/goal
  it('accepts values at their limits', async () => {
    const userId = '😀'.repeat(191);
    const goal = 'a-z_0'.padEnd(64, '9');
    await createTestGoal(stage.database.pool, site.id, goal);
    const { visitorId } = await addVisitorWithVisit(stage.database.pool, site.id, { userId });
    const id = 'c'.padEnd(64, ' ~!');
    const { status, body } = await call('POST', '/conversions', {
      conversions: [{ id, goal, user_id: userId, value: -0.01 }],
    });
    expect([status, body]).toEqual([202, { accepted: 1, duplicates: 0, rejected: [] }]);
    expect(await stored(id)).toMatchObject({ goal, user_id: userId, visitor_id: visitorId, value: -0.01 });
  });
});

describe('a request with a malformed part', () => {
  const visitor_id = randomUUID();
  const of = (change: object): object => ({
    conversions: [
      { id: 'c-0', goal: 'lead', visitor_id },
      { id: 'c-1', goal: 'lead', visitor_id, ...change },
    ],
  });

  // proves: decisions-facts/form
  it.each<[string, object, string, string]>([
    // proves: conversion/id, decisions-facts/conversion-required
    ['no id', { id: undefined }, 'conversions[1].id', 'required'],
    ['an id that is not a string', { id: 5 }, 'conversions[1].id', 'invalid_type'],
    ['an empty id', { id: '' }, 'conversions[1].id', 'invalid_value'],
    // proves: conversion/id
    ['an id of 65 characters', { id: 'x'.repeat(65) }, 'conversions[1].id', 'too_long'],
    // proves: conversion/id
    ['an id beyond ASCII', { id: 'заказ' }, 'conversions[1].id', 'invalid_value'],
    // proves: conversion/goal, decisions-facts/conversion-required
    ['no goal', { goal: undefined }, 'conversions[1].goal', 'required'],
    // proves: conversion/goal
    ['a goal of 65 characters', { goal: 'x'.repeat(65) }, 'conversions[1].goal', 'too_long'],
    ['a goal that is not a string', { goal: {} }, 'conversions[1].goal', 'invalid_type'],
    // proves: conversion/person
    ['neither visitor nor user', { visitor_id: undefined }, 'conversions[1].visitor_id', 'required'],
    // proves: analytics-ids/visitor_id, conversion/person
    [
      'a visitor id that is not a UUID',
      { visitor_id: '6f1c2a7e0b5d4c559d0e8a3f2b1c4d5e' },
      'conversions[1].visitor_id',
      'invalid_value',
    ],
    ['a visitor id that is null', { visitor_id: null, user_id: 'u' }, 'conversions[1].visitor_id', 'invalid_type'],
    // proves: conversion/person
    ['an empty user id', { user_id: '' }, 'conversions[1].user_id', 'invalid_value'],
    // proves: analytics-ids/user_id, decisions-faults/characters
    ['a user id of 192 characters', { user_id: '😀'.repeat(192) }, 'conversions[1].user_id', 'too_long'],
    ['a user id that is a number', { user_id: 7 }, 'conversions[1].user_id', 'invalid_type'],
    // proves: conversion/occurred_at
    ['a time without a zone', { occurred_at: '2026-11-20T09:00:00' }, 'conversions[1].occurred_at', 'invalid_value'],
    // proves: conversion/occurred_at
    [
      'a time that does not exist',
      { occurred_at: '2026-02-30T09:00:00Z' },
      'conversions[1].occurred_at',
      'invalid_value',
    ],
    ['a time that is a number', { occurred_at: 1_763_629_200 }, 'conversions[1].occurred_at', 'invalid_type'],
    // proves: conversion/value, decisions-faults/invalid_type
    ['a value that is a string', { value: '100' }, 'conversions[1].value', 'invalid_type'],
    ['a value that is null', { value: null }, 'conversions[1].value', 'invalid_type'],
    // proves: decisions-faults/invalid_value
    ['a value that is too large', { value: 1e13 }, 'conversions[1].value', 'invalid_value'],
    // proves: conversion/unknown-fields
    ['an unknown field', { colour: 'red' }, 'conversions[1].colour', 'unknown_field'],
    // proves: decisions-faults/unstorable
    ['NUL in a text', { user_id: 'a\0b' }, 'conversions[1].user_id', 'invalid_value'],
    // proves: decisions-faults/unstorable
    ['a lone surrogate', { user_id: '\ud800' }, 'conversions[1].user_id', 'invalid_value'],
  ])('fails as a whole: %s', async (_what, change, field, code) => {
    expect(await faultsOf(of(change))).toEqual([[field, code]]);
    expect(await stored('c-0')).toBeUndefined();
  });

  // proves: decisions-faults/required, decisions-faults/paths
  it('in its envelope fails as a whole', async () => {
    expect(await faultsOf({})).toEqual([['conversions', 'required']]);
    expect(await faultsOf({ conversions: {} })).toEqual([['conversions', 'invalid_type']]);
    expect(await faultsOf([])).toEqual([['', 'invalid_type']]);
    expect(await faultsOf({ conversions: [], more: 1 })).toEqual([['more', 'unknown_field']]);
    for (const element of [5, null, 'c', []])
      expect(await faultsOf({ conversions: [element] })).toEqual([['conversions[0]', 'invalid_type']]);
  });

  // proves: analytics-errors/too_many-batch, analytics-endpoints/conversions, analytics-limits/conversions
  // proves: decisions-order/too_many
  it('that has more than a thousand conversions gets only the detail too_many', async () => {
    expect(await faultsOf({ conversions: Array.from({ length: 1001 }, () => ({})) })).toEqual([
      ['conversions', 'too_many'],
    ]);
  });

  // proves: analytics-errors/422
  it('gets details without messages', async () => {
    const { body } = await call('POST', '/conversions', of({ id: '' }));
    expect(body.error.details).toEqual([{ field: 'conversions[1].id', code: 'invalid_value' }]);
  });
});

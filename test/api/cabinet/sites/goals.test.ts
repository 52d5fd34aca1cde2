import { beforeAll, describe, expect, it } from '@jest/globals';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

const UNKNOWN = 'zzzzzzzzzzzz';

const stage = stageApi();
let admin: Client;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

const newSite = async (): Promise<string> => (await createTestSite(stage.database.pool)).id;

describe('goals', () => {
  // proves: decisions-cabinet-calls/goals, decisions-cabinet-calls/goal, decisions-cabinet-calls/goal-deleted
  it('are created, replaced as a whole, listed by code and deleted', async () => {
    const id = await newSite();
    const created = await admin('PUT', `/sites/${id}/goals/order`, {
      title: 'Заказ',
      type: 'url',
      match: { op: 'regex', value: '/thanks$' },
      value: 12.5,
      enabled: false,
    });
    const order = {
      code: 'order',
      title: 'Заказ',
      type: 'url',
      match: { op: 'regex', value: '/thanks$' },
      value: 12.5,
      enabled: false,
    };
    expect(created).toMatchObject({ status: 201, body: order });
    expect((await admin('PUT', `/sites/${id}/goals/call`, { title: 'Звонок', type: 'js' })).status).toBe(201);
    const call = { code: 'call', title: 'Звонок', type: 'js', match: null, value: null, enabled: true };
    expect((await admin('GET', `/sites/${id}/goals`)).body).toEqual({ items: [call, order], next_cursor: null });
    const replaced = await admin('PUT', `/sites/${id}/goals/order`, { title: 'Покупка', type: 'purchase' });
    expect(replaced).toMatchObject({
      status: 200,
      body: { code: 'order', title: 'Покупка', type: 'purchase', match: null, value: null, enabled: true },
    });
    expect((await admin('DELETE', `/sites/${id}/goals/order`)).body).toEqual({ code: 'order', deleted: true });
    expect((await admin('DELETE', `/sites/${id}/goals/order`)).status).toBe(404);
    expect((await admin('GET', `/sites/${id}/goals`)).body.items).toEqual([call]);
  });

  // proves: decisions-analytics/goal-match
  // proves: decisions-cabinet-calls/goal
  it.each<[string, object | null]>([
    ['js', null],
    ['url', { op: 'eq', value: '/thanks' }],
    ['url', { op: 'contains', value: '/thanks' }],
    ['url', { op: 'starts', value: '/thanks' }],
    ['url', { op: 'regex', value: '/thanks$' }],
    ['event', { name: 'play' }],
    ['form', {}],
    ['form', { form_id: 'order' }],
    ['purchase', null],
  ])('may be of type %s with the match %j', async (type, match) => {
    const goal = { title: 'x', type, match, value: null, enabled: true };
    const { status, body } = await admin('PUT', `/sites/${await newSite()}/goals/g`, goal);
    expect([status, body]).toEqual([201, { code: 'g', ...goal }]);
  });

  it('belong to their own site', async () => {
    const [id, other] = [await newSite(), await newSite()];
    await admin('PUT', `/sites/${id}/goals/order`, { title: 'Заказ', type: 'js' });
    expect((await admin('GET', `/sites/${other}/goals`)).body.items).toEqual([]);
    expect((await admin('DELETE', `/sites/${other}/goals/order`)).status).toBe(404);
  });

  it.each<[object, string, string]>([
    [{ type: 'js' }, 'title', 'required'],
    [{ title: 'x' }, 'type', 'required'],
    [{ title: 'x', type: 'click' }, 'type', 'invalid_value'],
    [{ title: 'x', type: 'url' }, 'match', 'required'],
    [{ title: 'x', type: 'url', match: null }, 'match', 'required'],
    [{ title: 'x', type: 'url', match: [] }, 'match', 'invalid_type'],
    [{ title: 'x', type: 'url', match: { op: 'eq' } }, 'match.value', 'required'],
    // proves: decisions-analytics/goal-match
    [{ title: 'x', type: 'url', match: { op: 'like', value: 'x' } }, 'match.op', 'invalid_value'],
    [{ title: 'x', type: 'url', match: { op: 'regex', value: '(' } }, 'match.value', 'invalid_value'],
    [{ title: 'x', type: 'url', match: { op: 'regex', value: { toString: 1 } } }, 'match.value', 'invalid_type'],
    [{ title: 'x', type: 'url', match: { op: 'eq', value: 'x'.repeat(2_049) } }, 'match.value', 'too_long'],
    [{ title: 'x', type: 'event', match: { name: 'x', flags: 'i' } }, 'match.flags', 'unknown_field'],
    // proves: decisions-analytics/goal-match
    [{ title: 'x', type: 'js', match: { name: 'x' } }, 'match', 'invalid_value'],
    [{ title: 'x', type: 'js', value: -1 }, 'value', 'invalid_value'],
    [{ title: 'x', type: 'js', value: '1' }, 'value', 'invalid_type'],
    [{ title: 'x', type: 'js', enabled: 1 }, 'enabled', 'invalid_type'],
    [{ title: 'x', type: 'js', code: 'y' }, 'code', 'unknown_field'],
  ])('refuse %j', async (body, field, code) => {
    expect(await admin('PUT', `/sites/${UNKNOWN}/goals/x`, body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code }] } },
    });
  });

  // proves: conversion/goal, tag-limits/goal-code
  it('answer 404 for an unknown site and 400 for a malformed code', async () => {
    expect((await admin('PUT', `/sites/${UNKNOWN}/goals/x`, { title: 'x', type: 'js' })).status).toBe(404);
    expect((await admin('GET', `/sites/${UNKNOWN}/goals`)).status).toBe(404);
    const id = await newSite();
    for (const code of ['Order', 'a%20b', 'a.b', 'x'.repeat(65)])
      expect((await admin('PUT', `/sites/${id}/goals/${code}`, { title: 'x', type: 'js' })).status).toBe(400);
  });

  // proves: tag-limits/goals
  it('are limited per site, however many are created at once; existing ones can be replaced', async () => {
    const id = await newSite();
    await admin('PATCH', `/sites/${id}`, { quotas: { goals: 3 } });
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((number) => admin('PUT', `/sites/${id}/goals/g${number}`, { title: 'x', type: 'js' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: '', code: 'invalid_value' },
    ]);
    const { items } = (await admin('GET', `/sites/${id}/goals`)).body;
    expect(items).toHaveLength(3);
    expect((await admin('PUT', `/sites/${id}/goals/${items[0].code}`, { title: 'y', type: 'js' })).status).toBe(200);
  });

  it('have patterns of at most 4,000 instructions together; goals that are off or have none do not count', async () => {
    const id = await newSite();
    const put = async (code: string, value: string, enabled = true) =>
      admin('PUT', `/sites/${id}/goals/${code}`, {
        title: 'x',
        type: 'url',
        match: { op: 'regex', value },
        enabled,
      });
    for (let index = 0; index < 13; index += 1) expect((await put(`g${index}`, '.{0,145}[!-"]')).status).toBe(201);
    const refused = { status: 422, body: { error: { details: [{ field: 'match.value', code: 'invalid_value' }] } } };
    expect(await put('more', '.{0,145}[!-"]')).toMatchObject(refused);
    expect(await put('g0', '.{0,146}[!-"]{140}')).toMatchObject(refused);
    expect((await put('more', '.{0,145}[!-"]', false)).status).toBe(201);
    expect((await put('small', '/thanks$')).status).toBe(201);
    expect((await put('g0', '/a')).status).toBe(200);
    expect((await put('more', '.{0,145}[!-"]')).status).toBe(200);
    expect((await admin('PUT', `/sites/${id}/goals/js`, { title: 'x', type: 'js' })).status).toBe(201);
  });

  it('do not hold up other requests with a pattern that takes long to compile', async () => {
    const id = await newSite();
    const body = { title: 'x', type: 'url', match: { op: 'regex', value: '(x{1000})'.repeat(227) } };
    const before = process.threadCpuUsage();
    const puts = Array.from({ length: 20 }, () => admin('PUT', `/sites/${id}/goals/x`, body));
    const health = await Promise.all(
      Array.from({ length: 20 }, () => fetch(new URL('/analytics/api/v1/health', stage.api.cabinet))),
    );
    expect(health.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    for (const { status } of await Promise.all(puts)) expect(status).toBe(422);
    const { user, system } = process.threadCpuUsage(before);
    // With compiled regular expressions the twenty took 8 s.
    expect((user + system) / 1000).toBeLessThan(2_000);
  });

  // proves: tag-limits/goals
  it('are at most 200 by default', async () => {
    const id = await newSite();
    await stage.database.pool.query(
      `insert into site_goals (site_id, code, title, type) select $1, 'g' || n, 'g', 'js' from generate_series(1, 200) n`,
      [id],
    );
    expect((await admin('PUT', `/sites/${id}/goals/more`, { title: 'x', type: 'js' })).status).toBe(422);
    expect((await admin('GET', `/sites/${id}/goals`)).body.items).toHaveLength(200);
  });
});

/** E-mail addresses and phone numbers, sent to a whole stack in every possible way, are stored nowhere. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { tracesInClosedLake } from '../support/people/traces.ts';
import { everyDimension } from '../support/whole/everyDimension.ts';
import { personalBatch, personalOrder } from '../support/whole/personalHits.ts';
import { allHistories, allRows } from '../support/whole/secrets.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { linesWith, serviceLogs } from '../support/whole/traces.ts';
import { until } from '../support/whole/until.ts';
import { PATIENT_POOL } from '../support/database.ts';

/**
 * Each way has its own contacts, as people write them and in normal form, so that a match shows which way leaks.
 */
const WAYS = ['tag', 'users', 'refused', 'misplaced', 'malformed', 'hits'] as const;
const EMAIL = Object.fromEntries(WAYS.map((way) => [way, `Anna.${way}.q7x@Example-Mail.ru`]));
const PHONE = Object.fromEntries(WAYS.map((way, index) => [way, `8 (916) 555-73-0${index}`]));
const SECRETS = WAYS.flatMap((way, index) => [
  `Anna.${way}.q7x`,
  `anna.${way}.q7x`,
  PHONE[way] ?? '',
  `8916555730${index}`,
  `7916555730${index}`,
]);
/** The time zone of the development stack's site. */
const SITE_TIME_ZONE = 'Europe/Moscow';
/** Keys under which params were sent, or might be stored. */
const KEYS = ['email', 'userPhone', 'mark', 'note', 'deep', 'link', 'contact', EMAIL['hits'] ?? ''];
/** A text that must be found; otherwise the search is broken. */
const MARK = 'mark-of-a-param-4d1f';

/** Returns the files of a folder that contain one of the texts; files that disappear meanwhile are skipped. */
async function filesWith(texts: readonly string[], folder: string): Promise<string[]> {
  const found = await promisify(execFile)('grep', ['-rlaF', ...texts.flatMap((text) => ['-e', text]), folder]).catch(
    (error: { stdout: string }) => error,
  );
  return found.stdout.split('\n').filter((line) => line !== '');
}

describe('a stack that receives data about people', () => {
  let stack: WholeStack;
  let pool: pg.Pool;
  const answers: string[] = [];
  const visitor = randomUUID();

  async function post(url: string, body: unknown, key?: string): Promise<number> {
    const response = await fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    });
    answers.push(await response.text(), JSON.stringify([...response.headers]));
    return response.status;
  }

  const analytics = (path: string, body: unknown): Promise<number> =>
    post(`${stack.dev.analytics_url}${path}`, body, stack.dev.site.api_key);
  const readVisitor = async (): Promise<string> =>
    (
      await fetch(`${stack.dev.analytics_url}/visitors/${visitor}`, {
        headers: { authorization: `Bearer ${stack.dev.site.api_key}` },
      })
    ).text();
  const cabinet = async (method: string, path: string, body: object): Promise<Response> =>
    fetch(`${stack.dev.cabinet_url}/api/sites/${stack.dev.site.id}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.dev.cabinet_token}` },
      body: JSON.stringify(body),
    });
  const report = async (request: object): Promise<{ data: { dimensions: unknown[]; metrics: number[] }[] }> => {
    const response = await cabinet('POST', '/reports', request);
    const body = (await response.json()) as { data: { dimensions: unknown[]; metrics: number[] }[] };
    expect({ request, status: response.status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const collect = (users: object[]): Promise<number> =>
    post(stack.dev.collect_url, {
      key: stack.dev.site.tag_key,
      visitor_id: visitor,
      sent_at: new Date().toISOString(),
      events: users.map((user) => ({
        id: randomUUID(),
        at: new Date().toISOString(),
        type: 'user',
        url: 'https://shop.example/login',
        user,
      })),
    });

  beforeAll(async () => {
    stack = await startStack({ env: { LOG_LEVEL: 'debug' } });
    pool = createPool({
      databaseUrl: stack.dev.database_url,
      size: 2,
      applicationName: 'attune-test',
      ...PATIENT_POOL,
    });
    const contacts = (way: string) => ({ email: EMAIL[way], phone: PHONE[way] });
    expect(await collect([contacts('tag'), { user_id: 'u-tag', ...contacts('tag') }])).toBe(202);
    // Sent in wrong fields: as interests, as a city, as a param.
    expect(
      await collect([
        {
          city: EMAIL['misplaced'],
          interests: [EMAIL['misplaced'], PHONE['misplaced'], 'фильмы 2023-2024'],
          params: { mark: MARK, email: EMAIL['misplaced'], deep: [{ Phone: PHONE['misplaced'] }] },
        },
      ]),
    ).toBe(202);
    expect(
      await analytics('/users', {
        users: [
          { user_id: 'u-1', ...contacts('users') },
          { user_id: 'u-2', params: contacts('refused') },
          { user_id: 'u-3', city: EMAIL['misplaced'], interests: [PHONE['misplaced'], EMAIL['misplaced']] },
        ],
      }),
    ).toBe(202);
    expect(
      await analytics('/users', {
        users: [{ user_id: 'u-4', email: `${EMAIL['malformed']}@`, phone: `${PHONE['malformed']}${'0'.repeat(64)}` }],
      }),
    ).toBe(422);
    expect(
      await analytics(
        '/users',
        `{"users":[{"user_id":"u-5","email":"${EMAIL['malformed']}","phone":"${PHONE['malformed']}"`,
      ),
    ).toBe(400);
    expect(
      await analytics('/visitors/attributes', {
        visitors: [
          { visitor_id: visitor, params: contacts('refused') },
          { visitor_id: visitor, interests: [EMAIL['misplaced']] },
        ],
      }),
    ).toBe(200);
    expect(
      await analytics('/visitors/attributes', { visitors: [{ visitor_id: visitor, ...contacts('malformed') }] }),
    ).toBe(422);
    expect(
      await post(
        `${stack.dev.collect_url}?email=${EMAIL['malformed']}`,
        `{"key":"${stack.dev.site.tag_key}","user":"${EMAIL['malformed']} ${PHONE['malformed']}`,
      ),
    ).toBe(400);
    const hits = { email: EMAIL['hits'] ?? '', phone: PHONE['hits'] ?? '' };
    const order = { ...personalOrder(hits, `api ${hits.email}`), visitor_id: visitor };
    await cabinet('PUT', '/goals/lead', { title: 'Lead', type: 'js' });
    expect(await post(stack.dev.collect_url, personalBatch(hits, stack.dev.site.tag_key, visitor, MARK))).toBe(202);
    expect(await analytics('/orders', { orders: [order, order] })).toBe(202);
    expect(
      await analytics('/conversions', { conversions: [{ id: hits.email, goal: 'lead', visitor_id: visitor }] }),
    ).toBe(202);
    // The tag's batches are processed independently: the contacts' batch says nothing about the params' batch.
    await until(
      'the contacts of the tag',
      async () =>
        (await pool.query(`select from site_people where person_id = 'u-tag' and email_hash is not null`)).rowCount,
      (count) => count === 1,
    );
    const told = await until('the params of the tag', readVisitor, (answer) => answer.includes(MARK));
    answers.push(told);
  });

  afterAll(async () => {
    await pool?.end();
    await stack?.stop();
  });

  // proves: analytics/4
  it('returns none of it in answers', () => {
    expect(answers.some((answer) => answer.includes(MARK))).toBe(true);
    expect(linesWith(answers.join('\n'), SECRETS)).toEqual([]);
  });

  // proves: analytics/4
  it('reports none of it, whatever dimension is requested', async () => {
    const day = (shift: number): string =>
      new Date(Date.now() + shift * 86_400_000).toLocaleDateString('sv-SE', { timeZone: SITE_TIME_ZONE });
    const period = { date_from: day(-2), date_to: day(0) };
    const count = (metric: string) => async (): Promise<number> =>
      (await report({ dimensions: [], metrics: [metric], ...period, robots: 'include' })).data[0]?.metrics[0] ?? 0;
    await until('the hits', count('outbound_clicks'), (found) => found === 3);
    await until('the orders', count('orders'), (found) => found === 2);
    await until('the conversions', count('conversions'), (found) => found >= 2);
    /** The values of each dimension. */
    const shown = new Map<string, string>();
    for (const request of everyDimension(KEYS, period)) {
      const { data } = await report(request);
      // The request itself may use an address as a key.
      expect({ request, lines: linesWith(JSON.stringify(data), SECRETS) }).toEqual({ request, lines: [] });
      for (const [index, id] of request.dimensions.entries())
        shown.set(id, JSON.stringify(data.map(({ dimensions }) => dimensions[index])));
    }
    // The events were stored, and so are their replacements.
    for (const id of [
      'page_url',
      'event_param:note',
      'visit_param:note',
      'visitor_param:note',
      'entry_page',
      'form_id',
    ])
      expect(shown.get(id)).toContain('[email]');
    for (const id of ['page_title', 'search_phrase', 'product_name', 'promo_code'])
      expect(shown.get(id)).toMatch(/\[email\].*\[phone\]/);
    expect([...shown.values()].filter((values) => values.includes(MARK)).length).toBeGreaterThan(3);
  });

  // proves: analytics/4
  it('logs none of it, in any process', async () => {
    const logs = await serviceLogs(stack);
    expect(logs.includes('/analytics/api/v1/users')).toBe(true);
    expect(linesWith(logs, SECRETS)).toEqual([]);
  });

  it('passes none of it to Temporal', async () => {
    expect(linesWith(await allHistories(stack.dev.temporal_address), SECRETS)).toEqual([]);
  });

  // proves: decisions-visitors/contacts
  it('keeps only its hashes in the tables', async () => {
    const rows = await allRows(pool);
    expect(rows.includes(MARK)).toBe(true);
    expect(linesWith(rows, SECRETS)).toEqual([]);
    const {
      rows: [held],
    } = await pool.query(`select count(email_hash)::int as emails, count(phone_hash)::int as phones from site_people`);
    expect(held).toEqual({ emails: 2, phones: 2 });
  });

  it('leaves none of it in any file: neither the databases and their logs nor the lake', async () => {
    expect(await filesWith(SECRETS, stack.dataDir)).toEqual([]);
    expect((await filesWith([MARK], stack.dataDir)).join(' ')).toContain('postgres');
    // Compressed pages hide a text from a search of bytes.
    const lake = join(stack.dataDir, 'lake');
    expect(await tracesInClosedLake(lake, SECRETS)).toEqual([]);
    expect((await tracesInClosedLake(lake, [MARK])).map(([table]) => table)).toContain('main/hits');
  });
});

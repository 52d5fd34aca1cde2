/** E-mail addresses and phone numbers, given to a whole stack in every way there is, are nowhere afterwards. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { allHistories, allRows } from '../support/whole/secrets.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { linesWith, serviceLogs } from '../support/whole/traces.ts';
import { until } from '../support/whole/until.ts';

const START_MS = 240_000;
/** Each way has its own, so that a find tells which one leaks. Written as people write them, and in their normal form. */
const WAYS = ['tag', 'users', 'refused', 'misplaced', 'malformed'] as const;
const EMAIL = Object.fromEntries(WAYS.map((way) => [way, `Anna.${way}.q7x@Example-Mail.ru`]));
const PHONE = Object.fromEntries(WAYS.map((way, index) => [way, `8 (916) 555-73-0${index}`]));
const SECRETS = WAYS.flatMap((way, index) => [
  `Anna.${way}.q7x`,
  `anna.${way}.q7x`,
  PHONE[way] ?? '',
  `8916555730${index}`,
  `7916555730${index}`,
]);
/** What must be found: else the search finds nothing at all. */
const MARK = 'mark-of-a-param-4d1f';

/** The files of a folder that hold one of the texts; of files that go away meanwhile nothing is told. */
async function filesWith(texts: readonly string[], folder: string): Promise<string[]> {
  const found = await promisify(execFile)('grep', ['-rlaF', ...texts.flatMap((text) => ['-e', text]), folder]).catch(
    (error: { stdout: string }) => error,
  );
  return found.stdout.split('\n').filter((line) => line !== '');
}

describe('a stack that is told of people', () => {
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
    pool = createPool({ databaseUrl: stack.dev.database_url, size: 2, applicationName: 'attune-test' });
    const contacts = (way: string) => ({ email: EMAIL[way], phone: PHONE[way] });
    expect(await collect([contacts('tag'), { user_id: 'u-tag', ...contacts('tag') }])).toBe(202);
    // Where they do not belong: as interests, as a city, as a param.
    expect(
      await collect([
        {
          city: EMAIL['misplaced'],
          interests: [EMAIL['misplaced'], PHONE['misplaced']],
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
    // Each batch of the tag is worked off for itself: that of the contacts says nothing of that of the params.
    await until(
      'the contacts of the tag',
      async () =>
        (await pool.query(`select from site_people where person_id = 'u-tag' and email_hash is not null`)).rowCount,
      (count) => count === 1,
    );
    answers.push(await until('the params of the tag', readVisitor, (answer) => answer.includes(MARK)));
  }, START_MS);

  afterAll(async () => {
    await pool?.end();
    await stack?.stop();
  }, START_MS);

  it('answers with none of them', () => {
    expect(answers.some((answer) => answer.includes(MARK))).toBe(true);
    expect(linesWith(answers.join('\n'), SECRETS)).toEqual([]);
  });

  it('logs none of them, in any process', async () => {
    const logs = await serviceLogs(stack);
    expect(logs.includes('/analytics/api/v1/users')).toBe(true);
    expect(linesWith(logs, SECRETS)).toEqual([]);
  });

  it('hands none of them to Temporal', async () => {
    expect(linesWith(await allHistories(stack.dev.temporal_address), SECRETS)).toEqual([]);
  });

  it('keeps hashes of them in its tables, and nothing else', async () => {
    const rows = await allRows(pool);
    expect(rows.includes(MARK)).toBe(true);
    expect(linesWith(rows, SECRETS)).toEqual([]);
    const {
      rows: [held],
    } = await pool.query(`select count(email_hash)::int as emails, count(phone_hash)::int as phones from site_people`);
    expect(held).toEqual({ emails: 2, phones: 2 });
  });

  it('leaves none of them in any file: neither in those of the databases and their logs nor in the lake', async () => {
    expect(await filesWith(SECRETS, stack.dataDir)).toEqual([]);
    expect((await filesWith([MARK], stack.dataDir)).join(' ')).toContain('postgres');
  }, 60_000);
});

/** RATE_LIMITS=postgres: two API processes on one database share the limit of a key and of an address. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../db/accounts/projects.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Answer,
  type TestApi,
} from './support/testApi.ts';

let database: TestDatabase;
let apis: TestApi[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { RATE_LIMITS: 'postgres', TRUSTED_PROXIES: '127.0.0.1', IP_REQUESTS_PER_MINUTE: '60' };
  apis = [
    await startTestApi({ databaseUrl: database.url, env }),
    await startTestApi({ databaseUrl: database.url, env }),
  ];
});

afterAll(async () => {
  for (const api of apis) await api.close();
  await database?.drop();
});

/** Sends concurrent requests alternately to both processes, each from its given address. */
function askBoth(key: string, count: number, addressOf: (index: number) => string): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      clientOf(apis[index % 2]?.content ?? '', key)('GET', '/items/a', undefined, {
        headers: { 'x-forwarded-for': addressOf(index) },
      }),
    ),
  );
}

let visitors = 0;
/** Returns an address that has not been used yet. */
const newAddress = (): string => `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors++ & 255}`;

const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe('two processes', () => {
  it('let a key through no more often than one process would', async () => {
    // One request in a thousand seconds, so that a slow machine earns none.
    const { key } = await createTestProject(database.pool, 0.001);
    const answers = await askBoth(key, 20, newAddress);
    expect([countOf(answers, 404), countOf(answers, 429)]).toEqual([1, 19]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer.headers.get('retry-after')).toMatch(/^(1000|9\d\d)$/);
      expect(answer.body.error.code).toBe('rate_limited');
    }
  });

  // proves: analytics-limits/one-address
  it('let an address through no more often than one process would', async () => {
    const { key } = await createTestProject(database.pool);
    const started = performance.now();
    // Ten rounds of ten: fewer than 50 concurrent requests in each process.
    const answers: Answer[] = [];
    for (let round = 0; round < 10; round++) answers.push(...(await askBoth(key, 10, () => '203.0.113.9')));
    const earned = Math.ceil((performance.now() - started) / 1000);
    const through = countOf(answers, 404);
    expect(through).toBeGreaterThanOrEqual(60);
    expect(through).toBeLessThanOrEqual(60 + earned);
    expect(countOf(answers, 429)).toBe(100 - through);
    // Another address has its own limit.
    expect(countOf(await askBoth(key, 2, () => '203.0.113.10'), 404)).toBe(2);
  });

  it('apply a changed limit without being restarted', async () => {
    const project = await createTestProject(database.pool, 0.001);
    const ask = () => askBoth(project.key, 2, newAddress);
    await ask();
    expect(countOf(await ask(), 429)).toBe(2);
    const admin = clientOf(apis[0]?.cabinet ?? '', await createTestToken(database.pool));
    expect((await admin('PATCH', `/projects/${project.id}`, { limits: { requests_per_second: 1000 } })).status).toBe(
      200,
    );
    // A token under the old limit is 1,000 s away. The cache keeps a limit for five seconds; the timeout is longer, for
    // slow machines.
    await eventually(async () => countOf(await ask(), 404) === 2, 'the new limit');
    await updateProject(database.pool, project.id, { limits: { requests_per_second: 1 } });
    await eventually(async () => countOf(await askBoth(project.key, 10, newAddress), 429) >= 8, 'the lower limit');
  });
});

it('the buckets of keys, of addresses and of the cabinet are stored in the database', async () => {
  const { rows } = await database.pool.query(`select key from rate_buckets order by key`);
  const kinds = new Set(rows.map(({ key }: { key: string }) => key.split('/')[0]));
  expect(kinds).toEqual(new Set(['cabinet', 'ip', 'key']));
});

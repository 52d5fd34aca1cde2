/** Thousands of random well-formed keys cost little and affect nobody else. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FAILED_LOOKUPS } from '../../api/auth/keyLookups.ts';
import { newKey, type KeyKind } from '../../domain/accounts/keyFormats.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { clientOf, createTestProject, startTestApi, type Answer, type TestApi } from './support/testApi.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

/** Sends one request with a random key of the kind. */
function tryKey(kind: KeyKind, ip: string): Promise<Answer> {
  const key = newKey(kind);
  switch (kind) {
    case 'project':
      return clientOf(api.content, key)('GET', '/items/a', undefined, from(ip));
    case 'site':
      return clientOf(api.analytics, key)('GET', '/network', undefined, from(ip));
    case 'cabinet':
      return clientOf(api.cabinet, key)('GET', '/me', undefined, from(ip));
    default:
      return clientOf(api.origin, null)('POST', '/collect', { key, events: [] }, from(ip));
  }
}

async function tryKeys(kind: KeyKind, count: number, ip: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let done = 0; done < count; done += 40)
    answers.push(...(await Promise.all(Array.from({ length: Math.min(40, count - done) }, () => tryKey(kind, ip)))));
  return answers;
}

describe('random keys from one address', () => {
  // proves: auth/wrong-keys
  it.each<[KeyKind, string]>([
    ['project', '203.0.113.1'],
    ['site', '203.0.113.2'],
    ['cabinet', '203.0.113.3'],
    ['tag', '203.0.113.4'],
  ])('of the kind %s get 401 in a burst of sixty', async (kind, ip) => {
    expect(new Set((await tryKeys(kind, 60, ip)).map(({ status }) => status))).toEqual(new Set([401]));
  });

  // proves: auth/wrong-keys
  it('do not cost a query each: most of two thousand get 429, while a valid key from the same address works', async () => {
    const ip = '203.0.113.9';
    const { key } = await createTestProject(database.pool);
    const valid = () => clientOf(api.content, key)('GET', '/items/a', undefined, from(ip));
    expect((await valid()).status).toBe(404);
    const query = jest.spyOn(api.pool, 'query');
    const started = performance.now();
    const answers = await tryKeys('project', 2_000, ip);
    const earned = Math.ceil(((performance.now() - started) / 1000) * FAILED_LOOKUPS.perSecond);
    const lookups = query.mock.calls.length;
    query.mockRestore();
    expect(lookups).toBeLessThanOrEqual(FAILED_LOOKUPS.capacity + earned);
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(2_000 - lookups);
    expect(limited[0]?.headers.get('retry-after')).toBe('1');
    expect((await valid()).status).toBe(404);
  });
});

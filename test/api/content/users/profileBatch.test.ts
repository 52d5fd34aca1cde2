import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Answer,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  call = clientOf(api.content, (await createTestProject(database.pool)).key);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});

const read = (query: string): Promise<Answer> => call('GET', `/users/profile?${query}`);
const writeBatch = (profiles: unknown): Promise<Answer> => call('POST', '/users/profile/batch', { profiles });
const detailsOf = ({ body }: Answer): { field: string; code: string }[] =>
  body.error.details.map(({ field, code }: { field: string; code: string }) => ({ field, code }));

describe('POST /users/profile/batch', () => {
  // proves: profile/ProfileBatchResult, users/profile-batch, decisions-faults/elements
  it('handles each profile independently, and names its faults by paths within it', async () => {
    const { status, body } = await writeBatch([
      { user: { user_id: 'batch-1' }, city: 'Томск' },
      { user: { user_id: 'batch-2' }, attributes: { a: [{ Phone: 1 }] }, age: 200 },
      null,
      { user: {} },
      { gender: 'male' },
      { user: { user_id: 'batch-3' }, nickname: 1 },
      { user: { anonymous_id: 'batch-4' }, interests: ['a'] },
    ]);
    expect(status).toBe(200);
    expect(body.results.map(({ index, ok }: { index: number; ok: boolean }) => [index, ok])).toEqual([
      [0, true],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, false],
      [6, true],
    ]);
    expect(body.results[0].error).toBeNull();
    const faults = (index: number) =>
      body.results[index].error.details.map(({ field, code }: { field: string; code: string }) => [field, code]);
    expect(body.results[1].error).toMatchObject({ code: 'validation_failed', message: expect.any(String) });
    expect(faults(1)).toEqual(
      expect.arrayContaining([
        ['age', 'invalid_value'],
        ['attributes.a[0].Phone', 'pii_not_allowed'],
      ]),
    );
    expect(faults(2)).toEqual([['', 'invalid_type']]);
    expect(faults(3)).toEqual([['user', 'invalid_value']]);
    expect(faults(4)).toEqual([['user', 'required']]);
    expect(faults(5)).toEqual([['nickname', 'unknown_field']]);
    expect((await read('user_id=batch-1')).body.city).toBe('томск');
    expect((await read('anonymous_id=batch-4')).body.interests).toEqual(['a']);
    expect(await read('user_id=batch-2')).toMatchObject({ status: 404 });
  });

  it('applies several changes of one user in order', async () => {
    const user = { user_id: 'in-order' };
    await writeBatch([
      { user, city: 'А', gender: 'male' },
      { user, city: 'Б' },
      { user, gender: null },
    ]);
    expect((await read('user_id=in-order')).body).toMatchObject({ city: 'б', gender: null });
  });

  // proves: users/profile-batch, limits/profile-batch
  it('accepts 500 profiles in a handful of statements, and refuses 501', async () => {
    const profiles = Array.from({ length: 500 }, (_, n) => ({
      user: { user_id: `bulk-${n}` },
      interests: [`interest ${n}`],
      attributes: { n },
    }));
    const statements = countStatements();
    const { status, body } = await writeBatch(profiles);
    expect(status).toBe(200);
    expect(body.results.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    expect(statements.count).toBeGreaterThan(4);
    expect(statements.count).toBeLessThan(12);
    expect((await read('user_id=bulk-499')).body).toMatchObject({
      interests: ['interest 499'],
      attributes: { n: 499 },
    });
    expect(await writeBatch([...profiles, profiles[0]])).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
  });

  // proves: users/profile-batch
  it.each([
    // proves: decisions-faults/envelope-list
    [{ profiles: {} }, 'profiles', 'invalid_type'],
    [{}, 'profiles', 'required'],
    // proves: decisions-faults/envelope-list
    [{ profiles: [], more: 1 }, 'more', 'unknown_field'],
  ])('refuses the envelope %j', async (envelope, field, code) => {
    const answer = await call('POST', '/users/profile/batch', envelope);
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual([{ field, code }]);
  });

  it('does not let batches in opposite order deadlock', async () => {
    const profiles = Array.from({ length: 100 }, (_, n) => ({
      user: n % 2 === 0 ? { user_id: `crowd-${n}` } : { anonymous_id: `crowd-${n}` },
      city: 'Общий',
    }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, round) => writeBatch(round % 2 === 0 ? profiles : profiles.toReversed())),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await read('user_id=crowd-98')).body.city).toBe('общий');
  });
});

/** Counts the statements that the API sends from now on. */
function countStatements(): { count: number } {
  const statements = { count: 0 };
  const counted = new WeakSet<object>();
  api.pool.on('acquire', (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      statements.count += 1;
      return query(...args);
    }) as typeof client.query;
  });
  return statements;
}

/** A user's own sessions: the list, and ending one of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestUser, openBrowser, tokenOf, type Browser } from '../../support/people.ts';
import { clientOf, createTestToken, startTestApi, type TestApi } from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});

afterAll(async () => {
  await api?.close();
  await database?.drop();
});

// All tests share one address, whose login attempts would soon be used up.
beforeEach(() => database.pool.query('delete from rate_buckets'));

const user = () => createTestUser(database.pool, 'viewer');
const statusOf = async ({ call }: Browser): Promise<number> => (await call('GET', '/me')).status;
const currentOf = async ({ call }: Browser): Promise<string> =>
  (await call('GET', '/sessions')).body.items.find((one: { is_current: boolean }) => one.is_current).id;

describe('GET /sessions', () => {
  // proves: decisions-cabinet-app/sessions
  it("lists the valid ones in order, and marks the caller's own", async () => {
    const person = await user();
    const [one, other] = [await openBrowser(api, person), await openBrowser(api, person)];
    const of = async ({ call }: Browser): Promise<boolean[]> =>
      (await call('GET', '/sessions')).body.items.map((session: { is_current: boolean }) => session.is_current);
    expect([await of(one), await of(other)]).toEqual([
      [true, false],
      [false, true],
    ]);
    await database.pool.query(
      `update sessions set created_at = now() - interval '31 days' where id = (select min(id::text)::uuid from sessions where user_id = $1)`,
      [person.id],
    );
    expect(await of(other)).toEqual([true]);
  });

  it('answers page by page', async () => {
    const person = await user();
    const browsers = [await openBrowser(api, person), await openBrowser(api, person)];
    const first = await browsers[0]?.call('GET', '/sessions?limit=1');
    const second = await browsers[0]?.call('GET', `/sessions?limit=1&cursor=${first?.body.next_cursor}`);
    expect(first?.body.items[0].is_current).toBe(true);
    expect(second?.body).toMatchObject({ items: [{ is_current: false }], next_cursor: null });
  });

  it("marks none for a token, and does not exist for the installation's token", async () => {
    const person = await user();
    await openBrowser(api, person);
    const token = clientOf(api.cabinet, await tokenOf(database.pool, person));
    expect((await token('GET', '/sessions')).body.items).toMatchObject([{ is_current: false }]);
    const installation = clientOf(api.cabinet, await createTestToken(database.pool));
    expect((await installation('GET', '/sessions')).status).toBe(404);
  });
});

describe('DELETE /sessions/{id}', () => {
  // proves: decisions-cabinet-app/sessions
  it('ends that session only', async () => {
    const person = await user();
    const [one, other] = [await openBrowser(api, person), await openBrowser(api, person)];
    const id = await currentOf(other);
    expect(await one.call('DELETE', `/sessions/${id}`)).toMatchObject({ status: 200, body: { id, ended: true } });
    expect([await statusOf(one), await statusOf(other)]).toEqual([200, 401]);
    expect((await one.call('DELETE', `/sessions/${id}`)).status).toBe(404);
  });

  it('cannot end those of others', async () => {
    const [mine, theirs] = [await openBrowser(api, await user()), await openBrowser(api, await user())];
    expect((await mine.call('DELETE', `/sessions/${await currentOf(theirs)}`)).status).toBe(404);
    expect(await statusOf(theirs)).toBe(200);
  });
});

/** Requests of one caller reach processes whose clocks differ. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setDate } from '../support/jest/fakeTime.ts';
import { addVisitor } from '../support/people/sitePeople.ts';
import { stageApi } from './support/stageApi.ts';
import { clientOf, type Client } from './support/testApi.ts';
import { createTestSite, type TestSite } from './support/testSite.ts';

const stage = stageApi();
let site: TestSite;
let call: Client;

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
  call = clientOf(stage.api.analytics, site.key);
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a value that is sent later', () => {
  it('replaces an earlier one of POST /users, although the clock of its process is behind', async () => {
    const now = Date.now();
    for (const [city, clock] of [
      ['Казань', now + 60_000],
      ['Омск', now],
    ] as const) {
      setDate(clock);
      expect((await call('POST', '/users', { users: [{ user_id: 'u', city }] })).status).toBe(202);
    }
    expect((await call('POST', '/visitors/attributes', { visitors: [{ user_id: 'u' }] })).body).toMatchObject({
      results: [{ attributes: { geo: { city: 'ru-omsk' } } }],
    });
  });

  it('replaces an earlier one of POST /visitors/attributes, although the clock of its process is behind', async () => {
    const now = Date.now();
    const visitorId = await addVisitor(stage.database.pool, site.id);
    const send = async (gender: string, clock: number): Promise<unknown> => {
      setDate(clock);
      return (await call('POST', '/visitors/attributes', { visitors: [{ visitor_id: visitorId, gender }] })).body;
    };
    await send('female', now + 60_000);
    expect(await send('male', now)).toMatchObject({ results: [{ attributes: { gender: 'male' } }] });
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSite } from '../../../support/people/sitePeople.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';

const stage = stageApi();
let admin: Client;
let site: string;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  site = await addSite(stage.database.pool);
});

const remove = (userId: string, at = site) => admin('DELETE', `/sites/${at}/users/${encodeURIComponent(userId)}`);
const asked = async (): Promise<string[]> =>
  (
    await stage.database.pool.query<{ user_id: string }>(
      'select user_id from user_deletions where site_id = $1 order by 1',
      [site],
    )
  ).rows.map(({ user_id: id }) => id);

describe('DELETE /sites/{id}/users/{user_id}', () => {
  it('accepts any id of a user, known or not, and accepts it again', async () => {
    const ids = ['user-7', 'a/b?c#d', '100% анна', '%2F', 'ж'.repeat(191)];
    for (const id of [...ids, 'user-7'])
      expect([id, await remove(id)]).toMatchObject([id, { status: 202, body: { user_id: id, accepted: true } }]);
    expect(await asked()).toEqual(ids.toSorted());
  });

  it('refuses a malformed id, and a site that does not exist', async () => {
    expect([
      (await remove('x'.repeat(192))).status,
      (await remove('a\0b')).status,
      (await remove('user-7', 'nobody000000')).status,
    ]).toEqual([400, 400, 404]);
  });
});

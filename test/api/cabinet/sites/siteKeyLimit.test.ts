/** The maximum number of keys of a site. */
import { expect, it } from '@jest/globals';
import { KEYS_PER_SITE } from '../../../../db/sites/siteKeys.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';

const stage = stageApi();

it(`a site has at most ${KEYS_PER_SITE} valid keys of each kind, however many are created at once`, async () => {
  const { id } = await createTestSite(stage.database.pool);
  const call = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  const create = (kind: string) => call('POST', `/sites/${id}/keys`, { name: 'x', kind });
  const answers = await Promise.all(Array.from({ length: KEYS_PER_SITE + 3 }, () => create('api')));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(KEYS_PER_SITE - 1);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
  const made = answers.find(({ status }) => status === 201)?.body.id;
  expect((await create('tag')).status).toBe(201);
  expect((await call('DELETE', `/sites/${id}/keys/${made}`)).status).toBe(200);
  expect((await create('api')).status).toBe(201);
});

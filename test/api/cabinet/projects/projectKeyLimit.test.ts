/** The maximum number of keys of a project. */
import { expect, it } from '@jest/globals';
import { KEYS_PER_PROJECT } from '../../../../db/accounts/projectKeys.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestProject, createTestToken } from '../../support/testApi.ts';

const stage = stageApi();

it(`a project has at most ${KEYS_PER_PROJECT} valid keys, however many are created at once`, async () => {
  const { id } = await createTestProject(stage.database.pool);
  const call = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  const create = () => call('POST', `/projects/${id}/keys`, { name: 'x' });
  const answers = await Promise.all(Array.from({ length: KEYS_PER_PROJECT + 3 }, create));
  // The project was created with one key.
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(KEYS_PER_PROJECT - 1);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
  const made = answers.find(({ status }) => status === 201)?.body.id;
  expect((await call('DELETE', `/projects/${id}/keys/${made}`)).status).toBe(200);
  expect((await create()).status).toBe(201);
});

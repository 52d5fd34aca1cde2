/** The bytes of parameters in paths and queries. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, createTestProject, createTestToken, type Client, type TestProject } from '../support/testApi.ts';

const stage = stageApi();
let project: TestProject;
let content: Client;
let cabinet: Client;

beforeAll(async () => {
  project = await createTestProject(stage.database.pool);
  content = clientOf(stage.api.content, project.key);
  cabinet = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  await content('POST', '/users/profile', { user: { user_id: 'кот и пёс' }, city: 'Тверь' });
});

describe('a parameter', () => {
  it.each([
    ['is not UTF-8', '%FF'],
    ['is UTF-8 in part', 'a%C3'],
    ['has a broken escape', '100%25%'],
    ['has an escape that is no number', '%zz'],
  ])('in a query gets 400 with its name if it %s', async (_what, value) => {
    const fault = { status: 400, body: { error: { code: 'invalid_request' } } };
    const profile = await content('GET', `/users/profile?user_id=${value}`);
    expect(profile).toMatchObject(fault);
    expect(profile.body.error.details).toMatchObject([{ field: 'user_id', code: 'invalid_value' }]);
    expect(await content('GET', `/items?ids=${value}`)).toMatchObject(fault);
    expect(await cabinet('GET', `/projects/${project.id}/items?q=${value}`)).toMatchObject(fault);
  });

  it.each([
    ['is not UTF-8', '%FF'],
    ['has a broken escape', '%zz'],
  ])('in a path gets 400 with its name if it %s', async (_what, value) => {
    expect((await content('GET', `/items/${value}`)).status).toBe(400);
    const property = `/projects/${project.id}/properties/${value}`;
    const answer = await cabinet('PUT', property, { type: 'string', filterable: true });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.details).toMatchObject([{ field: 'name', code: 'invalid_value' }]);
  });

  it('that nobody knows is ignored, whatever its bytes are', async () => {
    for (const query of ['user_id=a&x=%FF', 'user_id=a&%FF=x', '%zz&user_id=a'])
      expect((await content('GET', `/users/profile?${query}`)).status).toBe(404);
  });

  it('may contain the character that stands for unreadable ones', async () => {
    expect((await content('GET', '/users/profile?user_id=%EF%BF%BD')).status).toBe(404);
  });

  it.each([
    ['with encoded characters', `user_id=${encodeURIComponent('кот и пёс')}`],
    ['with an encoded name', `user%5Fid=${encodeURIComponent('кот и пёс')}`],
    [
      'with a plus for a space',
      `user_id=${encodeURIComponent('кот')}+${encodeURIComponent('и')}+${encodeURIComponent('пёс')}`,
    ],
  ])('is read %s', async (_what, query) => {
    expect(await content('GET', `/users/profile?${query}`)).toMatchObject({ status: 200, body: { city: 'тверь' } });
  });

  it('whose bytes are not encoded gets 400', async () => {
    const socket = connect(Number(new URL(stage.api.origin).port), '127.0.0.1');
    const head = [
      'GET /content/api/v1/users/profile?user_id=кот HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${project.key}`,
    ];
    socket.write([...head, 'Connection: close', '', ''].join('\r\n'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*"invalid_request"/);
  });
});

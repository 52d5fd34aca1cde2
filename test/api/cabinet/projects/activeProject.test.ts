/** The cabinet refuses work for a project that is suspended or archived; other things stay possible. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../../../db/accounts/projects.ts';
import { putItem } from '../../../../db/items/writeItems.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { textItem } from '../../../support/project.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';
import { setClientState } from '../../../support/setClientState.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;
let token: string;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  token = await createTestToken(api.pool);
  call = clientOf(api.cabinet, token);
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});
beforeEach(async () => {
  project = await createTestProject(api.pool);
  await putItem(api.pool, {
    projectId: project.id,
    itemId: 'a',
    content: textItem(),
    origin: 'api',
    requestId: null,
  });
});

const WORK = [
  ['POST', 'rerun', {}],
  ['POST', 'items/a/reprocess', {}],
  ['PUT', 'items/a', { type: 'text', title: 'A' }],
  ['PATCH', 'items/a', { title: 'A' }],
  ['POST', 'output/train', undefined],
] as const;

const statusOf = async (method: string, path: string, body: unknown): Promise<number> =>
  (await call(method, `/projects/${project.id}/${path}`, body)).status;

const FILE = 'id,type\nb,text\n';

const upload = (body: string | ReadableStream<Uint8Array> = FILE): Promise<Response> =>
  fetch(`${api.cabinet}/projects/${project.id}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body,
    duplex: 'half',
  });

describe.each(['suspended', 'archived'] as const)('a project that is %s', (state) => {
  it.each(WORK)('is refused %s %s', async (method, path, body) => {
    await updateProject(api.pool, project.id, { state });
    expect(await statusOf(method, path, body)).toBe(403);
    await updateProject(api.pool, project.id, { state: 'active' });
    expect(await statusOf(method, path, body)).toBeLessThan(300);
  });

  it('is refused an import', async () => {
    await updateProject(api.pool, project.id, { state });
    expect((await upload()).status).toBe(403);
    await updateProject(api.pool, project.id, { state: 'active' });
    expect((await upload()).status).toBe(202);
  });

  it('is refused an import whose upload began while the project was still active', async () => {
    const file = new TransformStream<Uint8Array, Uint8Array>();
    const writer = file.writable.getWriter();
    const uploaded = upload(file.readable);
    void writer.write(Buffer.from(FILE.slice(0, 5)));
    const places = async (): Promise<number | null> =>
      (await api.pool.query('select from import_uploads where project_id = $1', [project.id])).rowCount;
    await eventually(async () => (await places()) === 1, 'the beginning of the file');
    await updateProject(api.pool, project.id, { state });
    void writer.write(Buffer.from(FILE.slice(5)));
    void writer.close();
    expect((await uploaded).status).toBe(403);
    expect([await places(), (await call('GET', `/projects/${project.id}/imports`)).body.items]).toEqual([0, []]);
  });

  it('can be read, and its items deleted', async () => {
    await updateProject(api.pool, project.id, { state });
    expect(await statusOf('GET', 'items/a', undefined)).toBe(200);
    expect(await statusOf('DELETE', 'items/a', undefined)).toBe(200);
  });

  it('has its rerun cancelled', async () => {
    await call('POST', `/projects/${project.id}/rerun`, {});
    await updateProject(api.pool, project.id, { state });
    const { body } = await call('GET', `/projects/${project.id}/reruns`);
    expect(body.items).toMatchObject([{ state: 'cancelled' }]);
  });
});

it('a project of a blocked client is refused work', async () => {
  await setClientState(api.pool, project.clientId, 'blocked');
  for (const [method, path, body] of WORK) expect(await statusOf(method, path, body)).toBe(403);
});

/** POST /projects/{id}/imports when there is no space for the file. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSmallDisk, whyNoSmallDisk, type SmallDisk } from '../../../../tools/chaos/support/smallDisk.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
} from '../../support/testApi.ts';

const FILE = '{"id":"a","type":"text","title":"А"}\n'.repeat(1_000);

// Without namespaces a test has no file system that it may fill.
((await whyNoSmallDisk()) === null ? describe : describe.skip)('an import when the disk is full', () => {
  let disk: SmallDisk;
  let database: TestDatabase;
  let api: TestApi;
  let cabinet: Client;

  beforeAll(async () => {
    [disk, database] = await Promise.all([createSmallDisk(4), createTestDatabase()]);
    const env = { BLOB_DIR: join(disk.path, 'blobs'), WORK_DIR: join(disk.path, 'work') };
    await Promise.all(Object.values(env).map((folder) => mkdir(folder)));
    api = await startTestApi({ databaseUrl: database.url, env });
    cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
    await disk.remove();
  });

  it('gets 503 with Retry-After, leaves nothing behind, and is accepted once there is space', async () => {
    const { id } = await createTestProject(database.pool);
    const send = () =>
      cabinet('POST', `/projects/${id}/imports`, FILE, { headers: { 'content-type': 'application/x-ndjson' } });
    await disk.fill();
    const refused = await send();
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await readdir(api.config.workDir)).toEqual([]);
    expect((await database.pool.query('select from imports where project_id = $1', [id])).rowCount).toBe(0);
    await disk.empty();
    expect((await send()).status).toBe(202);
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../../../../domain/jobs/searchAttributes.ts';
import { freePort } from '../../../../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../../../../tools/scripts/engines/index.ts';
import { isAlive } from '../../../../../tools/scripts/engines/fetch/process.ts';
import { mayRaiseSessions, sessionOf } from '../../../../support/programs/sessions.ts';
import { startTemporal, type TemporalServer } from '../../../../../tools/scripts/engines/servers/temporal.ts';

let binary: string;
let folder: string;
beforeAll(async () => {
  binary = await resolveEngine('temporal', { report: () => {}, env: process.env });
  folder = await mkdtemp(join(tmpdir(), 'attune-temporal-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(): Promise<TemporalServer> {
  return startTemporal({
    binary,
    dbFile: join(folder, 'state', 'temporal.db'),
    port: await freePort(),
    uiPort: await freePort(),
    report: () => {},
  });
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

describe('startTemporal', () => {
  it('serves with its page and search attributes, keeps workflows in its file, and is gone after a stop', async () => {
    const first = await start();
    try {
      expect((await fetch(first.uiUrl ?? '')).status).toBe(200);
      if (mayRaiseSessions()) expect(sessionOf(first.pid)).toMatch(/ nice -10$/);
      await withClient(first.address, async (client) => {
        await client.workflow.start('story', { taskQueue: 'none', workflowId: 'kept' });
        const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
          namespace: 'default',
        });
        expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.values(SEARCH_ATTRIBUTES)));
        // Makes the file look like that of a version without the attribute.
        await client.connection.operatorService.removeSearchAttributes({
          namespace: 'default',
          searchAttributes: [SEARCH_ATTRIBUTES.webhook],
        });
      });
    } finally {
      await first.stop();
    }
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    try {
      const { status } = await withClient(second.address, (client) => client.workflow.getHandle('kept').describe());
      expect(status.name).toBe('RUNNING');
      const query = `${SEARCH_ATTRIBUTES.webhook} = 'none'`;
      expect((await withClient(second.address, (client) => client.workflow.count(query))).count).toBe(0);
    } finally {
      await second.stop();
    }
  });

  it('stops a server of its file that an earlier run left behind', async () => {
    const first = await start();
    const mark = join(folder, 'state', 'temporal.db.launcher.json');
    const marked = JSON.parse(await readFile(mark, 'utf8')) as { launcher: number };
    await writeFile(mark, JSON.stringify({ ...marked, launcher: 2 ** 22 + 1 })); // past Linux's largest process id
    const second = await start();
    try {
      expect(isAlive(first.pid)).toBe(false);
    } finally {
      await second.stop();
    }
  });

  it('names a taken port', async () => {
    const first = await start();
    try {
      const port = Number(first.address.split(':')[1]);
      const second = startTemporal({ binary, dbFile: null, port, uiPort: null, report: () => {} });
      await expect(second).rejects.toMatchObject({
        name: 'EngineError',
        message: expect.stringContaining('set TEMPORAL_PORT'),
      });
    } finally {
      await first.stop();
    }
  });

  it('names the setting if the program does not start', async () => {
    const failure = startTemporal({
      binary: '/nowhere/temporal',
      dbFile: null,
      port: await freePort(),
      uiPort: null,
      report: () => {},
    });
    await expect(failure).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringContaining('set TEMPORAL_CLI'),
    });
  });
});

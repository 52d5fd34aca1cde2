/** The API as a separate process. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { freePort } from '../../tools/scripts/engines/servers/freePort.ts';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestProject } from './support/testApi.ts';

let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

afterAll(async () => {
  await database?.drop();
});

function startMain(env: Record<string, string>): { child: ChildProcess; err: { text: string } } {
  const child = fork(join(import.meta.dirname, '../../api/main.ts'), {
    silent: true,
    execArgv: [],
    env: { ...bareEnv(), DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32), REQUIRE_HTTPS: 'false', ...env },
  });
  children.push(child);
  const err = { text: '' };
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => (err.text += chunk));
  return { child, err };
}

describe('the api process', () => {
  it('logs when it listens, serves metrics separately, and finishes running requests before it stops', async () => {
    const project = await createTestProject(database.pool);
    const [port, metricsPort] = [await freePort(), await freePort()];
    const { child } = startMain({ PORT: String(port), METRICS_PORT: String(metricsPort) });
    expect(await once(child, 'message')).toMatchObject([{ type: 'ready' }, undefined]);
    expect((await fetch(`http://127.0.0.1:${port}/content/api/v1/health`)).status).toBe(200);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    for (const name of [
      'attune_http_request_duration_seconds',
      'attune_database_connections',
      'attune_queue_depth',
      'nodejs_eventloop_lag_seconds',
    ])
      expect(metrics).toContain(name);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);

    const socket = connect(port, '127.0.0.1');
    socket.write(
      `PUT /content/api/v1/items/last HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\nContent-Type: application/json\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(socket, 'data'); // admitted, waiting for its body
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await refused(port);
    const answered = once(socket, 'data');
    socket.write('{"type":"text"}');
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 201 [^]*Connection: close/i);
    expect(await exit).toEqual([0, null]);
    socket.destroy();
  });

  it('names the setting of a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { child, err } = startMain({ PORT: String(port) });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(err.text).toBe(`api: port ${port} on 127.0.0.1 is taken by another program: set PORT to a free one\n`);
    taken.close();
  });

  it('names an invalid entry of TRUSTED_PROXIES', async () => {
    const { child, err } = startMain({ PORT: String(await freePort()), TRUSTED_PROXIES: 'proxy.local' });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(err.text).toMatch(/TRUSTED_PROXIES: "proxy\.local" is neither .*\n$/);
  });
});

/** Waits until connections to the port are refused. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['open']),
      once(socket, 'error').then(() => ['refused']),
    ]).catch(() => ['refused']);
    socket.destroy();
    if (event === 'refused') return;
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isAlive } from '../../../tools/scripts/engines/fetch/process.ts';

let broker: ChildProcess | undefined;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-broker-'));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  broker?.kill();
  await rm(folder, { recursive: true, force: true });
});

async function startBroker(): Promise<{ process: ChildProcess; ask: (path: string) => Promise<Response> }> {
  const { NODE_OPTIONS: _forJestOnly, ...env } = process.env;
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'broker.ts')];
  const child = spawn(process.execPath, args, { env: { ...env, TMPDIR: folder }, stdio: ['pipe', 'pipe', 'ignore'] });
  broker = child;
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, ask: (path) => fetch(`http://127.0.0.1:${String(port).trim()}${path}`) };
}

async function serverFacts(url: string): Promise<{ folder: string; pid: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ folder: string; pid: number }>(
    "select current_setting('data_directory') as folder, split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
  );
  await client.end();
  const [facts] = rows;
  if (facts === undefined) throw new Error('no facts');
  return facts;
}

describe('the broker', () => {
  it('leaves no server and no folder when its input closes, as it does when the test process is killed', async () => {
    const { process: child, ask } = await startBroker();
    const [first, second] = await Promise.all([ask('/postgres'), ask('/postgres')]);
    const { url } = (await first.json()) as { url: string };
    expect(await second.json()).toEqual({ url });
    const { folder: pgdata, pid } = await serverFacts(url);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^attune-test-/)]);
    expect(isAlive(pid)).toBe(true);
    const ended = once(child, 'exit');
    child.stdin?.end();
    expect((await ended)[0]).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(pgdata, '..', '..'))).toBe(false);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says what it does not have, and ends when its input closes', async () => {
    const { process: child, ask } = await startBroker();
    const answer = await ask('/unknown');
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 500,
      text: 'the broker has no /unknown',
    });
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  });
});

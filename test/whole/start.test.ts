/**
 * `npm start` itself: every real service, the samples through the real API, Ctrl-C to the terminal's whole group.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DevDescription } from '../../tools/scripts/dev/settings/devFiles.ts';
import { SERVICES } from '../../tools/scripts/dev/services/services.ts';
import { connectError } from '../../tools/scripts/dev/settings/reachable.ts';
import {
  cleanUp,
  description,
  newStackEnv,
  processesOf,
  startNpm,
  type Launcher,
  type StackEnv,
} from '../support/whole/launcher.ts';

describe('npm start', () => {
  let env: StackEnv;
  let npm: Launcher;
  let stack: DevDescription;

  beforeAll(async () => {
    env = await newStackEnv();
    npm = startNpm(env, ['start', '--', '--no-watch']);
    await npm.line(/^Attune works/);
    stack = await description(npm.dataDir);
  });

  afterAll(() => cleanUp([npm], [env]));

  const get = (url: string, key?: string): Promise<Response> =>
    fetch(url, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } });

  it('starts every service', () => {
    expect(Object.keys(stack.pids).toSorted()).toEqual(
      ['launcher', 'postgres', 'temporal', ...SERVICES.map(({ name }) => name)].toSorted(),
    );
  });

  // proves: decisions-stack/description, decisions-stack/description-when
  it('answers at the addresses in dev.json, with the keys in it', async () => {
    expect(await (await get(`${stack.content_url}/health`)).json()).toEqual({ status: 'ok' });
    expect((await get(`${stack.content_url}/items/none`)).status).toBe(401);
    expect((await get(`${stack.content_url}/items/none`, stack.project.key)).status).toBe(404);
    expect((await get(`${stack.cabinet_url}/api/projects/${stack.project.id}`, stack.cabinet_token)).status).toBe(200);
    expect((await get(stack.temporal_ui_url ?? '')).status).toBe(200);
  });

  it('names a site with its keys, and where each service shows its metrics', async () => {
    expect(stack.site).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{12}$/),
      api_key: expect.stringMatching(/^ak_\w{40}$/),
      tag_key: expect.stringMatching(/^as_\w{24}$/),
    });
    expect(Object.keys(stack.metrics_urls).toSorted()).toEqual(SERVICES.map(({ name }) => name).toSorted());
    for (const url of Object.values(stack.metrics_urls))
      expect(await (await get(url)).text()).toContain('process_cpu_seconds_total');
  });

  // proves: decisions-hosting/development
  it('listens on 127.0.0.1 only', async () => {
    const port = Number(new URL(stack.content_url).port);
    expect(await connectError('127.0.0.1', port)).toBeNull();
    expect(await connectError('127.0.0.2', port)).not.toBeNull();
  });

  it('allows outgoing requests to the samples only', async () => {
    const response = await fetch(`${stack.content_url}/items/inside`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${stack.project.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'image', media: [{ kind: 'image', url: 'https://127.0.0.1/x.jpg' }] }),
    });
    expect(response.status).toBe(422);
  });

  it('shows the samples analysed and their webhooks verified', async () => {
    await npm.line(/4 of 4 samples analysed, 4 of 4 webhooks received with a valid signature/);
    const lesson = (await (
      await get(`${stack.content_url}/items/tram-lesson?include=transcript`, stack.project.key)
    ).json()) as { status: string; transcript: { text: string }[] };
    expect(lesson.status).toBe('ready');
    expect(lesson.transcript[0]?.text).toContain('шестьсот вольт');
  });

  it('stops on Ctrl-C and leaves nothing', async () => {
    npm.signal('SIGINT');
    await npm.exited;
    expect(npm.output()).toMatch(/stopped$/);
    expect(await processesOf(npm.dataDir)).toEqual([]);
    expect(['dev.lock', 'dev.json'].filter((name) => existsSync(join(npm.dataDir, name)))).toEqual([]);
  });
});

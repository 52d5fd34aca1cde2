import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { runDemo, SAMPLE_IDS } from '../../../../../tools/scripts/dev/demo/run.ts';
import { startSampleServer, type SampleServer } from '../../../../../tools/scripts/dev/demo/server.ts';
import type { Screen } from '../../../../../tools/scripts/dev/screen.ts';
import type { DemoMode } from '../../../../../tools/scripts/dev/settings/devSettings.ts';
import { startFakeApi, type FakeApi, type FakeApiOptions } from './fakeApi.ts';

const samplesDir = join(import.meta.dirname, '../../../../../tools/samples');

describe('the demonstration', () => {
  let samples: SampleServer;
  let api: FakeApi;
  let printed: string;
  let drawn: string[];

  beforeEach(async () => {
    samples = await startSampleServer(samplesDir);
    [printed, drawn] = ['', []];
  });

  afterEach(async () => {
    await api.close();
    await samples.close();
  });

  async function demonstrate(
    mode: DemoMode,
    { terminal = false, signal = new AbortController().signal } = {},
  ): Promise<void> {
    const screen: Screen = {
      terminal,
      print: (text) => (printed += text),
      live: (block) => void (block !== null && drawn.push(block)),
    };
    await runDemo({ mode, description: api.description, samples, samplesDir, screen, signal });
  }

  async function withApi(options: Partial<FakeApiOptions> = {}): Promise<void> {
    api = await startFakeApi({ ca: samples.ca, ...options });
  }

  it('sends the samples, shows each step and the results, and checks every webhook', async () => {
    await withApi();
    await demonstrate('first');
    expect([...api.bodies.keys()]).toEqual([...SAMPLE_IDS]);
    expect(api.bodies.get('depot-sign')?.media?.[0]?.url).toBe(`${samples.url}/samples/depot-sign.jpg`);
    for (const step of ['prepare', 'speech', 'vision', 'summary', 'embedding'])
      expect(printed.split(`story: ${step} done\n`)).toHaveLength(2);
    expect(printed).toMatch(/story: ready after \d+\.\d s/);
    expect(printed).toContain('summary: What tram-lesson says.');
    expect(printed).toContain('read in the picture: TRAM DEPOT');
    expect(printed.split('webhook: item.processed received, signature valid')).toHaveLength(5);
    expect(printed).toContain('4 of 4 samples analysed, 4 of 4 webhooks received with a valid signature.');
    expect(api.webhooks.size).toBe(0);
  });

  it('redraws a table in a terminal', async () => {
    await withApi();
    await demonstrate('first', { terminal: true });
    expect(printed).not.toContain('story: prepare done');
    expect(drawn[0]).toMatch(/^ {2}story +prepare ✓ speech · /);
    expect(drawn.at(-1)?.split('\n')).toHaveLength(5);
    expect(drawn.at(-1)).toMatch(/story +prepare ✓ speech ✓ vision ✓ summary ✓ embedding ✓ ready/);
  });

  it('runs once, and again only on request', async () => {
    await withApi();
    api.bodies.set('story', {});
    await demonstrate('first');
    await demonstrate('never');
    expect(printed).toBe('');
    await demonstrate('always');
    expect(api.calls).toContain('POST /content/api/v1/items/story/reprocess');
    expect(api.calls).not.toContain('POST /content/api/v1/items/depot-sign/reprocess');
    expect(printed).toContain('4 of 4 samples analysed');
  });

  it('removes the webhook of an earlier run that was killed, and no other', async () => {
    await withApi();
    api.webhooks.set('old', `https://${samples.host}:1/webhook`);
    api.webhooks.set('mine', 'https://hooks.example/');
    await demonstrate('first');
    expect([...api.webhooks.keys()]).toEqual(['mine']);
  });

  it('does not accept a wrong signature', async () => {
    await withApi({ forge: true });
    await demonstrate('first');
    expect(printed).toContain('0 of 4 webhooks received with a valid signature.');
    expect(printed).toContain('webhook: item.processed received, the signature is wrong');
  });

  it('reports no fault and leaves no webhook when it is interrupted', async () => {
    await withApi();
    const controller = new AbortController();
    const running = demonstrate('first', { signal: controller.signal });
    while (!api.calls.some((call) => call.startsWith('PUT'))) await new Promise(setImmediate);
    controller.abort();
    await running;
    expect(printed).not.toContain('could not be shown');
    expect(api.webhooks.size).toBe(0);
  });

  it('says why it has failed', async () => {
    await withApi();
    api.description.cabinet_url = 'http://127.0.0.1:1';
    await demonstrate('always');
    expect(printed).toMatch(/^ {2}The samples could not be shown: /);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restartPauseMs, startService, type Service } from '../../../../../tools/scripts/dev/services/service.ts';

const READY = `process.send({ type: 'ready' }); setInterval(() => {}, 1000);`;

describe('a service', () => {
  let root: string;
  let lines: string[];
  let pids: number[];
  let waiting: { pattern: RegExp; resolve: () => void }[];
  let stopping: AbortController;
  const services: Service[] = [];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'attune-service-'));
    [lines, pids, waiting, stopping] = [[], [], [], new AbortController()];
  });

  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop(2000);
    await rm(root, { recursive: true, force: true });
  });

  async function start(script: string): Promise<Service> {
    await save(script);
    const report = (line: string): void => {
      lines.push(line);
      for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve();
    };
    const onProcess = (pid: number): void => void pids.push(pid);
    const service = startService({
      name: 'thing',
      root,
      entry: 'thing.mjs',
      env: {},
      report,
      onProcess,
      onLine: () => {},
      stopping: stopping.signal,
    });
    services.push(service);
    return service;
  }

  const save = (script: string): Promise<void> => writeFile(join(root, 'thing.mjs'), script);
  const said = (pattern: RegExp): Promise<void> => new Promise((resolve) => waiting.push({ pattern, resolve }));
  const isAlive = (pid: number | undefined): boolean => {
    try {
      return pid !== undefined && process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('is ready when it says so', async () => {
    await (
      await start(READY)
    ).ready;
    expect(isAlive(pids[0])).toBe(true);
    expect(lines).toEqual([]);
  });

  it('is not tried again if it ends before it is ready, and its last output is shown', async () => {
    const service = await start(`console.error('PORT is not set'); process.exit(1);`);
    await expect(service.ready).rejects.toThrow('thing does not start: exit code 1\n  PORT is not set');
    expect(pids).toHaveLength(1);
  });

  it('is restarted after a pause when it dies', async () => {
    await (
      await start(READY)
    ).ready;
    const again = said(/works again/);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await again;
    expect(lines).toEqual([
      expect.stringMatching(/^thing ended with signal SIGKILL: starting it again in 0.5 s/),
      'thing works again after 1 failed run',
    ]);
    expect(pids).toHaveLength(2);
  });

  it('restarts at once on request, with the current sources', async () => {
    const service = await start(READY);
    await service.ready;
    await save(`${READY} // changed`);
    const again = said(/works again/);
    await service.restart();
    await again;
    expect(lines).toEqual(['thing works again']);
    expect(pids.map(isAlive)).toEqual([false, true]);
  });

  it('is started as soon as the error in a saved file that broke it is fixed, not at the end of the pause', async () => {
    const service = await start(READY);
    await service.ready;
    await save('process.exit(3)');
    const broken = said(/ended with exit code 3: starting it again in 4 s/);
    await service.restart();
    await broken;
    const runs = pids.length;
    const again = said(/works again/);
    await save(READY);
    await service.restart();
    // A process is started at once; how soon it is ready depends on the machine.
    await new Promise(setImmediate);
    expect(pids).toHaveLength(runs + 1);
    await again;
  });

  it('stops within its limit even if it resists', async () => {
    const service = await start(`process.on('SIGTERM', () => {}); ${READY}`);
    await service.ready;
    await service.stop(200);
    expect(isAlive(pids[0])).toBe(false);
    expect(lines).toEqual([]);
  });

  it('is left dead once the stack is stopping', async () => {
    await (
      await start(READY)
    ).ready;
    stopping.abort();
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await services[0]?.stop(1000);
    expect(pids).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});

it('the pauses double from half a second to half a minute', () => {
  expect([1, 2, 3, 6, 7, 8, 1000].map(restartPauseMs)).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000, 30_000]);
});

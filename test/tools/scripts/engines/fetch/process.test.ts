import { describe, expect, it } from '@jest/globals';
import { isAlive, run, startProcess, waitUntilReady } from '../../../../../tools/scripts/engines/fetch/process.ts';

const shell = (script: string) => ({ command: '/bin/sh', args: ['-c', script] });

describe('startProcess', () => {
  it('passes on the lines and reports how the process ended', async () => {
    const lines: string[] = [];
    const managed = await startProcess({
      ...shell('echo one; echo two >&2; exit 3'),
      onLine: (line) => lines.push(line),
    });
    expect(await managed.exited).toBe('exit code 3');
    expect(managed.ended).toBe(true);
    expect([...lines].sort()).toEqual(['one', 'two']);
  });

  it('stops the whole group, including grandchildren', async () => {
    let grandchild = 0;
    const printed = Promise.withResolvers<void>();
    const managed = await startProcess({
      ...shell('sleep 300 & echo $!; wait'),
      onLine: (line) => {
        grandchild = Number(line);
        printed.resolve();
      },
    });
    await printed.promise;
    await managed.stop();
    expect(isAlive(managed.pid)).toBe(false);
    expect(await eventually(() => !isAlive(grandchild))).toBe(true);
  });

  it('kills a process that ignores the signal', async () => {
    const printed = Promise.withResolvers<void>();
    const managed = await startProcess({
      ...shell("trap '' TERM; echo ready; while :; do sleep 300; done"),
      onLine: () => printed.resolve(),
    });
    await printed.promise;
    await managed.stop('SIGTERM', 100);
    expect(await managed.exited).toBe('signal SIGKILL');
  });

  it('rejects a program that does not exist', async () => {
    await expect(startProcess({ command: '/nowhere/program', args: [] })).rejects.toThrow('ENOENT');
  });
});

/** Polls, because a killed process may stay in the process table until its new parent reaps it. */
async function eventually(condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + 30_000;
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
  return condition();
}

describe('run', () => {
  it('collects both outputs and the exit code', async () => {
    expect(await run(shell('echo out; echo err >&2; exit 2'), 10_000)).toEqual({
      code: 2,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
    });
  });

  it('kills a program that takes too long, with its children', async () => {
    const started = performance.now();
    const result = await run(shell('sleep 300 & wait'), 100);
    expect(result).toMatchObject({ code: null, timedOut: true });
    expect(performance.now() - started).toBeLessThan(200_000);
  });

  it('reports a program that does not exist', async () => {
    expect(await run({ command: '/nowhere/program', args: [] }, 1000)).toMatchObject({
      code: null,
      stderr: expect.stringContaining('ENOENT'),
    });
  });
});

describe('waitUntilReady', () => {
  it('gives up at once when the process ends, with its last output', async () => {
    const managed = await startProcess(shell('echo port in use >&2; exit 1'));
    const probe = () => Promise.reject(new Error('refused'));
    await expect(waitUntilReady('server', managed, probe, 60_000)).rejects.toThrow(
      'server ended with exit code 1: port in use',
    );
  });

  it('gives up after the time limit', async () => {
    const managed = await startProcess(shell('sleep 300'));
    const probe = () => Promise.reject(new Error('refused'));
    await expect(waitUntilReady('server', managed, probe, 50)).rejects.toThrow('did not answer within 0.05 s');
    await managed.stop();
  });
});

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';

const ENV = {
  DATABASE_URL: 'postgres://nobody@localhost/none',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://attune.test',
};
const children: ChildProcess[] = [];

interface Child {
  process: ChildProcess;
  out: { text: string };
  err: { text: string };
  exit: Promise<unknown[]>;
}

function start(fate: string, env: Record<string, string> = ENV): Child {
  const child = fork(join(import.meta.dirname, 'fixtures', 'child.ts'), [fate], {
    env: { PATH: process.env['PATH'], ...env },
    execArgv: [],
    silent: true,
  });
  children.push(child);
  const out = { text: '' };
  const err = { text: '' };
  child.stdout?.on('data', (chunk) => (out.text += chunk));
  child.stderr?.on('data', (chunk) => (err.text += chunk));
  return { process: child, out, err, exit: ended(child) };
}

/** Returns the exit code and signal once the output is complete; 'close' is not emitted after a disconnect. */
async function ended(child: ChildProcess): Promise<unknown[]> {
  const output = [child.stdout, child.stderr].map((stream) => (stream ? once(stream, 'close') : null));
  const [status] = await Promise.all([once(child, 'exit'), ...output]);
  return status;
}

async function untilReady(child: Child): Promise<void> {
  const [message] = await once(child.process, 'message');
  expect(message).toEqual({ type: 'ready' });
}

afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes and exits with code 0 on %s', async (signal) => {
    const child = start('orderly');
    await untilReady(child);
    child.process.kill(signal);
    expect(await child.exit).toEqual([0, null]);
    expect(child.out.text).toContain('closed\n');
    expect(child.out.text).toContain(`"reason":"${signal}"`);
  });

  it('closes when the parent process ends', async () => {
    const child = start('orderly');
    await untilReady(child);
    child.process.disconnect();
    expect(await child.exit).toEqual([0, null]);
    expect(child.out.text).toContain('closed\n');
  });

  it('ends at once on a second signal', async () => {
    const child = start('stuck');
    await untilReady(child);
    child.process.kill('SIGTERM');
    while (!child.out.text.includes('closed')) await once(child.process.stdout ?? child.process, 'data');
    child.process.kill('SIGTERM');
    expect(await child.exit).toEqual([1, null]);
  });

  it('shows every fault of the configuration, one line each', async () => {
    const child = start('orderly', { PORT: 'eighty' });
    expect(await child.exit).toEqual([1, null]);
    const lines = child.err.text.trim().split('\n');
    expect(lines.map((line) => line.split(/[ =]/)[0]).sort()).toEqual([
      'DATABASE_URL',
      'PORT',
      'PUBLIC_URL',
      'SECRET_KEY',
    ]);
  });

  it('shows a fault at the start without a stack', async () => {
    const child = start('fault');
    expect(await child.exit).toEqual([1, null]);
    expect(child.err.text).toBe('child: port 1 is taken\n');
  });
});

import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { dial } from '../../../platform/outgoing/dial.ts';
import { atEnd, cleanUp, closedPort, failureOf, startTcp } from './support/servers.ts';

const never = new AbortController().signal;

afterEach(cleanUp);

async function dialled(addresses: string[], port: number, signal = never): Promise<Socket> {
  const socket = await dial(addresses, port, signal);
  atEnd(async () => socket.destroy());
  return socket;
}

/**
 * Starts a process that listens but accepts nothing: when its queue of two is full, the kernel leaves SYNs
 * unanswered.
 */
async function startBlackHole(port: number): Promise<void> {
  const script = `require('net').createServer().listen({port: ${port}, host: '127.0.0.2', backlog: 1}, () => {
    require('fs').writeSync(1, 'up'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL')));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const fillers = [1, 2].map(() => connect(port, '127.0.0.2').on('error', () => undefined));
  atEnd(async () => fillers.forEach((socket) => socket.destroy()));
  await Promise.all(fillers.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
}

describe('dial', () => {
  it('connects to the first address that answers, in the order given', async () => {
    const { port } = await startTcp(() => undefined, '0.0.0.0');
    expect((await dialled(['127.0.0.3', '127.0.0.1'], port)).remoteAddress).toBe('127.0.0.3');
  });

  it('tries the next address when one refuses the connection', async () => {
    const { port } = await startTcp(() => undefined);
    expect((await dialled(['127.0.0.2', '127.0.0.3', '127.0.0.1'], port)).remoteAddress).toBe('127.0.0.1');
  });

  it('tries the next address in parallel when one stays silent', async () => {
    const { port } = await startTcp(() => undefined);
    await startBlackHole(port);
    const startedAt = performance.now();
    expect((await dialled(['127.0.0.2', '127.0.0.1'], port)).remoteAddress).toBe('127.0.0.1');
    expect(performance.now() - startedAt).toBeGreaterThan(200);
    expect(performance.now() - startedAt).toBeLessThan(30_000); // the kernel gives up on a SYN only after minutes
  });

  it('fails if every address fails, without naming one', async () => {
    const failure = await failureOf(dial(['127.0.0.1', '::1', '127.0.0.2'], await closedPort(), never));
    expect(failure.code).toBe('connection');
    expect(failure.message).not.toMatch(/127|::1/);
    expect((await failureOf(dial([], 1, never))).code).toBe('dns');
  });

  it('ends with the reason of the signal', async () => {
    const { port } = await startTcp(() => undefined);
    const reason = new Error('enough');
    await expect(dial(['127.0.0.1'], port, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const attempt = dial(['127.0.0.1'], port, controller.signal);
    controller.abort(reason);
    await expect(attempt).rejects.toBe(reason);
  });
});

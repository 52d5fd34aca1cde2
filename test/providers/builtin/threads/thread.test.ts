import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createThread,
  ThreadCpuLimitError,
  ThreadDiedError,
  ThreadJobError,
  ThreadTimeoutError,
  type Thread,
  type ThreadOptions,
} from '../../../../providers/builtin/threads/thread.ts';
import { HANG_MS } from '../../../support/eventually.ts';

const options = { signal: new AbortController().signal, timeoutMs: HANG_MS };
let thread: Thread<string, string> | undefined;

function start(more: Partial<ThreadOptions> = {}): Thread<string, string> {
  const entry = new URL('./echoThread.ts', import.meta.url);
  thread = createThread<string, string>({ entry, data: null, heapMb: 32, ...more });
  return thread;
}

afterEach(() => thread?.close());

describe('a thread', () => {
  it('answers calls in order', async () => {
    const echo = start();
    expect(await Promise.all(['a', 'b', 'c'].map((word) => echo.call(word, options)))).toEqual([
      'echo a',
      'echo b',
      'echo c',
    ]);
  });

  it('survives a job that throws', async () => {
    const echo = start();
    await expect(echo.call('throw', options)).rejects.toThrow(new ThreadJobError('asked to'));
    expect(await echo.call('a', options)).toBe('echo a');
  });

  it("reports the operating system's error of a job", async () => {
    await expect(start().call('write', options)).rejects.toMatchObject({ code: 'ENOSPC', syscall: 'write' });
  });

  it.each([
    ['exit', 'the thread ended'],
    ['memory', 'the thread failed: ERR_WORKER_OUT_OF_MEMORY'],
  ])('rejects the job that ends it (%s), and starts again', async (cause, message) => {
    const echo = start();
    await expect(echo.call(cause, options)).rejects.toThrow(new ThreadDiedError(message));
    expect(await echo.call('a', options)).toBe('echo a');
  });

  it.each([
    ['its time', { timeoutMs: 300 }, ThreadTimeoutError],
    ['its processor time', { cpuMs: 300 }, ThreadCpuLimitError],
  ])('ends a job that exceeds %s, and serves the next', async (_, limit, error) => {
    const echo = start();
    const late = echo.call('hang', { ...options, ...limit });
    const next = echo.call('a', options);
    await expect(late).rejects.toBeInstanceOf(error);
    expect(await next).toBe('echo a');
  });

  it('lets a job finish that takes long but uses little processor time, as on a busy machine', async () => {
    const echo = start();
    await echo.call('a', options);
    expect(await echo.call('slow', { ...options, cpuMs: 100 })).toBe('echo slow');
  });

  it('counts the processor time of each job separately', async () => {
    const echo = start();
    for (let job = 0; job < 4; job += 1) expect(await echo.call('busy', { ...options, cpuMs: 250 })).toBe('echo busy');
  });

  it('abandons a running and a waiting job at once when they are aborted', async () => {
    const echo = start();
    const controller = new AbortController();
    const running = echo.call('hang', { ...options, signal: controller.signal });
    const waiting = echo.call('b', { ...options, signal: controller.signal });
    const other = echo.call('c', options);
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await expect(waiting).rejects.toThrow('cancelled');
    expect(await other).toBe('echo c');
  });

  it('rejects an aborted call, but lets its job finish if starting another thread is costly', async () => {
    const echo = start({ finishesAborted: true });
    const controller = new AbortController();
    const before = await echo.call('count', options);
    const slow = echo.call('slow', { ...options, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('cancelled')), 20);
    await expect(slow).rejects.toThrow('cancelled');
    expect(before).toBe('echo count 1');
    expect(await echo.call('count', options)).toBe('echo count 3');
  });

  it('rejects calls after it is closed', async () => {
    const echo = start();
    await echo.call('a', options);
    await echo.close();
    await expect(echo.call('b', options)).rejects.toBeInstanceOf(ThreadDiedError);
  });
});

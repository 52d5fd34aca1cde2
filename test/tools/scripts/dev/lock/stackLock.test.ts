import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart } from '../../../../../tools/scripts/dev/lock/processIdentity.ts';
import { acquireLock, StackRunningError } from '../../../../../tools/scripts/dev/lock/stackLock.ts';

/** The largest process id on Linux is 2^22. */
const NO_SUCH_PID = 4_194_305;

describe('the lock of a data folder', () => {
  let dataDir: string;
  let lines: string[];
  const children: ChildProcess[] = [];
  const report = (line: string): void => void lines.push(line);

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'attune-lock-'));
    lines = [];
  });

  afterEach(async () => {
    await Promise.all(
      children.splice(0).map((child) => {
        if (child.exitCode !== null || child.signalCode !== null) return undefined;
        child.kill('SIGKILL');
        return once(child, 'exit');
      }),
    );
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Starts a process that leads a group, like those of the stack. */
  async function startChild(script: string): Promise<{ child: ChildProcess; pid: number; start: string }> {
    const child = spawn(process.execPath, ['-e', `${script}; console.log('up'); setInterval(() => {}, 1000)`], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    if (child.stdout !== null) await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    return { child, pid, start: (await processStart(pid)) ?? '' };
  }

  const writeLock = (content: unknown): Promise<void> => writeFile(join(dataDir, 'dev.lock'), JSON.stringify(content));

  it('is private, held once, and free again after its release', async () => {
    const lock = await acquireLock(dataDir, report);
    expect((await stat(join(dataDir, 'dev.lock'))).mode & 0o777).toBe(0o600);
    await expect(acquireLock(dataDir, report)).rejects.toThrow(StackRunningError);
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
    await (await acquireLock(dataDir, report)).release();
  });

  it('goes to exactly one of many simultaneous callers', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(dataDir, report)));
    const refusals = asked.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refusals).toHaveLength(7);
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(StackRunningError);
  });

  it('is taken over from a launcher that is gone, whose processes are ended', async () => {
    const [polite, stubborn] = await Promise.all([startChild(''), startChild(`process.on('SIGTERM', () => {})`)]);
    const ended = Promise.all([once(polite.child, 'exit'), once(stubborn.child, 'exit')]);
    await writeLock({
      pid: NO_SUCH_PID,
      start: 'x',
      processes: [
        { name: 'api', pid: polite.pid, start: polite.start },
        { name: 'temporal', pid: stubborn.pid, start: stubborn.start },
      ],
    });
    const lock = await acquireLock(dataDir, report, 3_000); // enough for an orderly end, even on a busy machine
    expect((await ended).map(([, signal]) => signal as string)).toEqual(['SIGTERM', 'SIGKILL']);
    expect(lines).toEqual([expect.stringMatching(/^ended temporal/), expect.stringMatching(/^ended api/)]);
    await lock.release();
  });

  it('does not end a process that got the number of an earlier one', async () => {
    const { child, pid } = await startChild('');
    await writeLock({ pid, start: 'another boot:1', processes: [{ name: 'api', pid, start: 'another boot:1' }] });
    await (await acquireLock(dataDir, report)).release();
    expect(child.exitCode ?? child.signalCode).toBeNull();
    expect(lines).toEqual([]);
  });

  it('is taken over if its file contains nothing useful', async () => {
    await writeFile(join(dataDir, 'dev.lock'), '{"pid":');
    await (await acquireLock(dataDir, report)).release();
    expect(existsSync(join(dataDir, 'dev.lock'))).toBe(false);
  });

  it('remembers the last process of each name', async () => {
    const lock = await acquireLock(dataDir, report);
    const [first, second] = await Promise.all([startChild(''), startChild('')]);
    await Promise.all([lock.record('api', first.pid), lock.record('relay', process.pid)]);
    await lock.record('api', second.pid);
    await lock.record('gone', NO_SUCH_PID);
    expect(lock.pids().toSorted()).toEqual([second.pid, process.pid].toSorted());
    await lock.release();
  });
});

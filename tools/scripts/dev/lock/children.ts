/** The direct children of this process, including those whose starter has not reported back yet. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { signalGroup } from '../../engines/fetch/process.ts';
import type { StackLock } from './stackLock.ts';

const POLL_MS = 100;

/** @returns process ids; empty where the system does not list them. */
async function childPids(): Promise<number[]> {
  const text = process.platform === 'linux' ? fromProc() : await fromPgrep();
  return text.split(/\s+/).filter(Boolean).map(Number);
}

function fromProc(): string {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1');
  } catch {
    return '';
  }
}

async function fromPgrep(): Promise<string> {
  try {
    return (await promisify(execFile)('pgrep', ['-P', String(process.pid)])).stdout;
  } catch {
    return '';
  }
}

/** Kills every child with its whole process group. */
export async function killChildren(): Promise<void> {
  for (const pid of await childPids()) signalGroup(pid, 'SIGKILL');
}

/**
 * Records new children while `work` runs, so that a launcher that is killed meanwhile leaves a record of what it was
 * starting.
 */
export async function recordChildrenDuring<T>(lock: StackLock, work: Promise<T>): Promise<T> {
  const known = new Set(lock.pids());
  const look = async () => {
    for (const pid of await childPids()) {
      if (known.has(pid)) continue;
      known.add(pid);
      await lock.record(`process ${pid}`, pid);
    }
  };
  const timer = setInterval(() => void look().catch(() => {}), POLL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Ends processes that are not, or no longer, children of this process. */
import { setTimeout as delay } from 'node:timers/promises';
import { signalGroup } from '../../engines/fetch/process.ts';
import { isSameProcess } from './processIdentity.ts';

const POLL_MS = 50;

export interface RecordedProcess {
  name: string;
  pid: number;
  /** See processStart. */
  start: string;
}

/**
 * Asks a recorded process to stop, and kills its whole group when it has not ended after `graceMs`. A process with the
 * same number but another start time belongs to somebody else and is left alone.
 * @returns true when there was a process to end.
 */
export async function endProcess(recorded: RecordedProcess, graceMs: number): Promise<boolean> {
  const { name, pid, start } = recorded;
  if (!(await isSameProcess(pid, start))) return false;
  signal(pid, gracefulSignal(name));
  const deadline = performance.now() + graceMs;
  while (await isSameProcess(pid, start)) {
    if (performance.now() > deadline) {
      signalGroup(pid, 'SIGKILL');
      signal(pid, 'SIGKILL');
    }
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Returns the signal for a graceful end: SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait until every client
 * has disconnected.
 */
function gracefulSignal(name: string): NodeJS.Signals {
  return name === 'postgres' ? 'SIGINT' : 'SIGTERM';
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

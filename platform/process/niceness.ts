/** Niceness of processes and their sessions: it decides who gets the cores of a machine when they are scarce. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** 10 leaves a ninth of the usual share, and -10 gives nine times as much. Linux has -20 to 19. */
const NICENESS = 10;
/** Linux lets the processes of ordinary accounts change the niceness of a session ten times a second, all together. */
const SESSION_TRIES = 50;
const SESSION_PAUSE_MS = 100;

/** Lowers the priority of a process for whose work nobody waits (docs/decisions/priorities.md). */
export function lowerProcessPriority(): void {
  lowerThreadPriorities();
  void lowerSessionPriority();
}

/**
 * Lowers the priority of all threads. Linux keeps it per thread, and those of DuckDB and Node exist before any code of
 * the product runs.
 */
export function lowerThreadPriorities(): void {
  const threads = ownThreads();
  if (threads.length === 0) setPriority(NICENESS);
  else lowerPrioritiesOf(threads);
}

/**
 * Each thread is handled separately: one that has ended since it was listed must not keep the following ones from being
 * changed.
 */
export function lowerPrioritiesOf(threads: readonly number[]): void {
  for (const thread of threads) {
    try {
      setPriority(thread, NICENESS);
    } catch {
      // The thread has ended.
    }
  }
}

const CHRT_TIMEOUT_MS = 5_000;

/**
 * Gives the calling thread the time that nobody else wants. With Linux' policy `SCHED_IDLE`, a core that runs only such
 * a thread counts as free, so a thread that wakes up takes it at once; a niceness only gives the thread a smaller share
 * of a core. Without `chrt` of util-linux, which sets the policy, the lowest niceness remains.
 */
export function giveThreadIdlePriority(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  try {
    const thread = basename(readlinkSync('/proc/thread-self'));
    execFileSync('chrt', ['--idle', '--pid', '0', thread], { stdio: 'ignore', timeout: CHRT_TIMEOUT_MS });
  } catch {
    // Another system, or no util-linux.
  }
}

/**
 * Where Linux groups processes by session (`sched_autogroup`), a niceness counts only within the session, and the
 * session as a whole has its own. It is set where the process leads its session, as the services of `npm start` do; in
 * a terminal the session is the user's. Containers are groups of another kind (`cpu_shares`).
 */
async function lowerSessionPriority(): Promise<void> {
  if (!leadsSession()) return;
  for (let left = SESSION_TRIES; left > 0; left -= 1) {
    try {
      writeFileSync('/proc/self/autogroup', String(NICENESS));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await delay(SESSION_PAUSE_MS, undefined, { ref: false });
    }
  }
}

/**
 * Gives the session that a process leads several times the share of others. Only a process with CAP_SYS_NICE may, as
 * root has outside of containers; for others, and where Linux does not group processes by session, nothing changes.
 */
export function raiseSessionPriority(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(-NICENESS));
  } catch {
    // Not permitted, no groups, or the process has ended.
  }
}

/** Returns none on systems other than Linux. */
function ownThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}

function leadsSession(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the command in brackets, which may contain spaces: state, parent, group, session.
    const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}

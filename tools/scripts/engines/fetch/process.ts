/**
 * Child processes that leave nothing behind. Each leads its own process group, so that a stop also reaches its
 * children, and a Ctrl+C in the terminal reaches only the launcher, which stops things in order.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const TAIL_LINES = 40;
/** Time to read the last output after the process has ended. */
const DRAIN_MS = 1_000;
const DEFAULT_GRACE_MS = 10_000;
/**
 * Time limit for a program that only prints its version or the like. Generous, because it only has to end a hang: a
 * program of 100 MB that is read from a busy disk takes many seconds.
 */
export const PROGRAM_LIMIT_MS = 120_000;

export interface ProcessOptions {
  command: string;
  args: string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Account to run as; only root can do that. */
  account?: { uid: number; gid: number };
  /** Called with each line of standard output and standard error, without the newline. */
  onLine?: (line: string) => void;
}

export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when the process has ended, with a description such as "exit code 1" or "signal SIGKILL". */
  readonly exited: Promise<string>;
  /** Resolves when all of its output has been read; not while a process that it left behind holds its output open. */
  readonly drained: Promise<void>;
  /** True from the moment the process has ended. */
  readonly ended: boolean;
  /** Returns the last lines of output, for an error message. */
  tail(): string;
  /** Sends `signal` to the whole group, and SIGKILL when it has not ended after `graceMs`. */
  stop(signal?: NodeJS.Signals, graceMs?: number): Promise<void>;
}

/** Signals a whole process group; a group that no longer exists is not an error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns true when a process exists, even another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function spawnGroup(options: ProcessOptions): ChildProcess {
  return spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.env && { env: options.env }),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...options.account,
  });
}

/** Waits until the spawn itself has succeeded. Rejects with the system's error, for example ENOENT. */
function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

function followLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
  }
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Waits at most `ms` for a promise; returns true when it settled in time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Starts a long-running program.
 * @throws when it cannot be started at all (no such file, no permission).
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const child = spawnGroup(options);
  const lines: string[] = [];
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      resolve(describeExit(code, signal));
    });
  });
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  followLines(child, (line) => {
    lines.push(line);
    if (lines.length > TAIL_LINES) lines.shift();
    options.onLine?.(line);
  });
  await spawned(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.command} has no process id`);

  return {
    pid,
    exited,
    drained,
    get ended() {
      return ended;
    },
    tail: () => lines.join('\n'),
    async stop(signal = 'SIGTERM', graceMs = DEFAULT_GRACE_MS) {
      if (!ended) signalGroup(pid, signal);
      if (await settlesWithin(exited, graceMs)) return;
      signalGroup(pid, 'SIGKILL');
      await exited;
    },
  };
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

/**
 * Runs a program to its end and collects what it prints.
 * For a program that cannot be started, `code` is null and `stderr` has the reason. A program that takes
 * longer than `timeoutMs` is killed with its children.
 */
export async function run(options: Omit<ProcessOptions, 'onLine'>, timeoutMs: number): Promise<RunResult> {
  const child = spawnGroup(options);
  const result: RunResult = { code: null, stdout: '', stderr: '', timedOut: false };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    await spawned(child);
  } catch (error) {
    result.stderr = (error as Error).message;
    return result;
  }
  result.timedOut = !(await settlesWithin(closed, timeoutMs));
  if (result.timedOut && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  result.code = await closed;
  return result;
}

/**
 * The limit of one probe of a server. A starting server on a busy machine answers late; with a shorter limit no probe
 * would succeed.
 */
export const PROBE_TIMEOUT_MS = 10_000;

/**
 * Repeats `probe` until it succeeds, while the process lives and `timeoutMs` has not passed.
 * @throws with the process's last output when it ends or the time is up.
 */
export async function waitUntilReady(
  name: string,
  managed: ManagedProcess,
  probe: () => Promise<void>,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      if (managed.ended) {
        await settlesWithin(managed.drained, DRAIN_MS);
        throw new Error(`${name} ended with ${await managed.exited}: ${managed.tail()}`, { cause: error });
      }
      if (performance.now() > deadline) {
        throw new Error(`${name} did not answer within ${timeoutMs / 1000} s: ${managed.tail()}`, { cause: error });
      }
    }
    await settlesWithin(managed.exited, 50);
  }
}

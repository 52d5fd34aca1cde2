/** One run of one service: the process, its readiness and its end. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Env } from '../../../../config.ts';
import { signalGroup, settlesWithin } from '../../engines/fetch/process.ts';

const TAIL_LINES = 15;

export interface ServiceProcess {
  pid: number;
  /** Resolves when the service reports that it is ready; otherwise never. */
  ready: Promise<void>;
  /** Resolves with a description such as "exit code 1". */
  exited: Promise<string>;
  readonly ended: boolean;
  /** Returns the last lines of standard error, oldest first. */
  tail(): string[];
  /** Sends SIGTERM, and SIGKILL to the whole group after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ServiceProcessOptions {
  root: string;
  entry: string;
  env: Env;
  /** Called with each line of standard output and standard error. */
  onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

/**
 * Spawns a service as the leader of its own process group, so that Ctrl-C in the terminal reaches only the launcher.
 * The IPC channel reports its readiness, and when the channel closes, the service knows that the launcher has exited.
 */
export function spawnService(options: ServiceProcessOptions): ServiceProcess {
  const child = spawn(process.execPath, [join(options.root, options.entry)], {
    cwd: options.root,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${process.execPath} cannot be started`);
  const tail = followOutput(child, options.onLine);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  return {
    pid,
    ready: readiness(child),
    exited,
    get ended() {
      return hasEnded(child);
    },
    tail: () => [...tail],
    stop: (graceMs) => stopChild(child, pid, exited, graceMs),
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready') resolve();
    });
  });
}

function followOutput(child: ChildProcess, onLine: ServiceProcessOptions['onLine']): string[] {
  const tail: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => onLine(line, 'stdout'));
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      onLine(line, 'stderr');
    });
  }
  return tail;
}

async function stopChild(child: ChildProcess, pid: number, exited: Promise<string>, graceMs: number): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  if (await settlesWithin(exited, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await exited;
}

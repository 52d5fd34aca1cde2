/** Launchers as child processes, with separate folders and ports. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { DevDescription } from '../../../tools/scripts/dev/settings/devFiles.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { copyCluster } from '../servers/cluster.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FAKE_LAUNCHER = join(import.meta.dirname, '../../tools/scripts/dev/fixtures/launcher.ts');
/** Settings in the tests' own environment that must not reach a stack under test. */
const OWN_SETTINGS = new Set([
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'SECRET_KEY',
  'ALLOW_NETWORKS',
  'PUBLIC_URL',
  'REQUIRE_HTTPS',
  'WORKFLOW_BUNDLE',
  'NODE_OPTIONS',
  'LOG_LEVEL',
]);

export type StackEnv = Record<string, string>;

/** Creates a data folder and finds four free ports. */
export async function newStackEnv(): Promise<StackEnv> {
  const ports: number[] = [];
  while (ports.length < 4) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  const [port, postgres, temporal, ui] = ports.map(String);
  const dataDir = await mkdtemp(join(tmpdir(), 'attune-stack-'));
  // When root runs the tests, PostgreSQL's account must be able to enter; otherwise its data goes to /var/lib and
  // stays there.
  await chmod(dataDir, 0o711);
  return {
    ATTUNE_DATA_DIR: dataDir,
    PORT: port ?? '',
    POSTGRES_PORT: postgres ?? '',
    TEMPORAL_PORT: temporal ?? '',
    TEMPORAL_UI_PORT: ui ?? '',
  };
}

/** Returns a folder with an existing database, for tests that are not about a first start. */
export async function newReadyStackEnv(): Promise<StackEnv> {
  const env = await newStackEnv();
  await copyCluster(join(env.ATTUNE_DATA_DIR ?? '', 'postgres'));
  return env;
}

export interface Launcher {
  pid: number;
  dataDir: string;
  /** The whole output so far, including standard error. */
  output(): string;
  /**
   * Resolves with the next line that matches and was not returned by an earlier call; rejects when the launcher
   * ends first.
   */
  line(pattern: RegExp): Promise<string>;
  /** Resolves with the exit code, or the signal's name. */
  exited: Promise<number | string>;
  signal: (name: NodeJS.Signals) => void;
}

/** Starts the launcher with small services, see fixtures/launcher.ts. */
export function startLauncher(env: StackEnv, args: readonly string[] = ['--no-demo', '--no-watch']): Launcher {
  const child = spawn(process.execPath, [FAKE_LAUNCHER, ...args], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child, env, (name) => child.kill(name));
}

/** Starts npm as a terminal does: a signal goes to the whole group, as with Ctrl-C. */
export function startNpm(env: StackEnv, args: readonly string[]): Launcher {
  const child = spawn('npm', ['--silent', ...args], {
    cwd: ROOT,
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return follow(child, env, (name) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pidOf(child), name);
  });
}

function cleanEnv(env: StackEnv): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.has(name))), ...env };
}

function follow(
  child: ChildProcessByStdio<null, Readable, Readable>,
  env: StackEnv,
  signal: (name: NodeJS.Signals) => void,
): Launcher {
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text);
      notify();
    });
  }
  let ended = false;
  const exited = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      ended = true;
      resolve(code ?? signal ?? 'gone');
      notify();
    });
  });
  let seen = 0;
  return {
    pid: pidOf(child),
    dataDir: env.ATTUNE_DATA_DIR ?? '',
    output: () => lines.join('\n'),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const index = lines.findIndex((text, at) => at >= seen && pattern.test(text));
          if (index < 0 && !ended) return;
          listeners.delete(look);
          if (index < 0) return reject(new Error(`no line ${pattern} before the end:\n${lines.join('\n')}`));
          seen = index + 1;
          resolve(lines[index] ?? '');
        };
        listeners.add(look);
        look();
      }),
    exited,
    signal,
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the launcher cannot be started');
  return child.pid;
}

export async function description(dataDir: string): Promise<DevDescription> {
  return JSON.parse(await readFile(join(dataDir, 'dev.json'), 'utf8')) as DevDescription;
}

/** Lists the processes that mention a data folder in their command, environment or working folder. */
export async function processesOf(dataDir: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const texts = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
      ]);
      return texts.some((text) => text.includes(dataDir))
        ? [`${pid} ${texts[0].replaceAll('\0', ' ').slice(0, 200)}`]
        : [];
    }),
  );
  return found.flat();
}

/** Stops launchers that a failed test left behind, and removes their folders. */
export async function cleanUp(launchers: readonly Launcher[], envs: readonly StackEnv[]): Promise<void> {
  for (const launcher of launchers) {
    launcher.signal('SIGTERM');
    await launcher.exited;
  }
  for (const env of envs) await rm(env.ATTUNE_DATA_DIR ?? '', { recursive: true, force: true });
}

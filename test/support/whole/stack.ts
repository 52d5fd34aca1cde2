/** The real stack, started as `npm start` does, for tests and benchmarks, with a new folder and free ports. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DevDescription } from '../../../tools/scripts/dev/settings/devFiles.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { BROKER_VARIABLE } from '../servers/brokerClient.ts';
import { copyCluster } from '../servers/cluster.ts';
import { testWorkflowBundle } from '../workflows/workflows.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The certificate authority of the tests' https servers. */
export const CA_FILE = join(ROOT, 'test/platform/outgoing/fixtures/ca.pem');
const START_LIMIT_MS = 240_000;
/** Settings in the tests' own environment that must not reach a stack under test. */
const OWN_SETTINGS =
  /^(DATABASE_URL|BLOB_STORE|BLOB_DIR|S3_.*|TEMPORAL_ADDRESS|SECRET_KEY|ALLOW_NETWORKS|PUBLIC_URL|REQUIRE_HTTPS|WORKFLOW_BUNDLE|NODE_OPTIONS|LOG_LEVEL|OPENAI_.*|(SPEECH|VISION|SUMMARY|MODERATION|EMBEDDING)_.*)$/;

export interface StackOptions {
  /** Settings that are added to the defaults or replace them. */
  env?: Record<string, string>;
  /** Options of npm start, in addition to those that every test needs. */
  args?: readonly string[];
  /**
   * The folder to run in (the stack then creates its database and bundles its workflows itself) and the account to
   * run as; the defaults are the checkout and the tests' own account.
   */
  root?: string;
  account?: { uid: number; gid: number };
  /** The default is a new folder, which `stop` removes. */
  dataDir?: string;
}

export interface WholeStack {
  dataDir: string;
  launcherPid: number;
  /** Addresses and keys, which stay the same while the stack runs. */
  dev: DevDescription;
  /** Reads the current dev.json: its pids change when a process restarts. */
  pids(): Promise<Record<string, number>>;
  /** Returns the launcher's output. */
  output(): string;
  /** Stops the launcher as Ctrl-C does and removes the data folder. */
  stop(): Promise<void>;
}

/** @throws with the launcher's output when the stack does not start */
export async function startStack(options: StackOptions = {}): Promise<WholeStack> {
  const dataDir = options.dataDir ?? (await makeDataDir());
  const ready = await takeReady(dataDir, options);
  const launcher = spawn(
    process.execPath,
    ['tools/scripts/dev/start.ts', '--no-demo', '--no-watch', ...(options.args ?? [])],
    {
      cwd: options.root ?? ROOT,
      env: await stackEnv(dataDir, { ...ready, ...options.env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.account,
    },
  );
  const lines: string[] = [];
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const over = new AbortController();
  const ended = new Promise<void>((resolve) => {
    launcher.once('close', () => {
      over.abort();
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    if (!over.signal.aborted) launcher.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const dev = await readyDescription(dataDir, launcher.pid, over.signal);
    const pids = async () => (await readDescription(dataDir)).pids;
    return { dataDir, launcherPid: launcher.pid ?? 0, dev, pids, output: () => lines.join(''), stop };
  } catch (error) {
    await stop();
    throw new Error(`the stack did not start:\n${lines.join('')}`, { cause: error });
  }
}

/**
 * When root runs the tests, PostgreSQL's account must be able to enter; otherwise its data goes to /var/lib and
 * stays there.
 */
async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-whole-'));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Reuses what the run has already made: a migrated database and the workflows' bundle. Not for the code of another
 * folder, which may have other migrations and workflows, nor outside of Jest, where neither exists.
 * @returns settings
 */
async function takeReady(dataDir: string, { root }: StackOptions): Promise<Record<string, string>> {
  if (root !== undefined || process.env[BROKER_VARIABLE] === undefined) return {};
  const database = join(dataDir, 'postgres');
  if (!existsSync(database)) await copyCluster(database);
  return { WORKFLOW_BUNDLE: (await testWorkflowBundle()).codePath };
}

async function stackEnv(dataDir: string, more: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const ports = new Set<number>();
  while (ports.size < 4) ports.add(await freePort());
  const [port, postgres, temporal, ui] = [...ports].map(String);
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name));
  return {
    ...Object.fromEntries(inherited),
    ATTUNE_DATA_DIR: dataDir,
    PORT: port,
    POSTGRES_PORT: postgres,
    TEMPORAL_PORT: temporal,
    TEMPORAL_UI_PORT: ui,
    ALLOW_NETWORKS: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: CA_FILE,
    ...more,
  };
}

async function readDescription(dataDir: string): Promise<DevDescription> {
  return JSON.parse(await readFile(join(dataDir, 'dev.json'), 'utf8')) as DevDescription;
}

/** Waits for this launcher's description: a killed launcher leaves its own behind. */
async function readyDescription(
  dataDir: string,
  launcherPid: number | undefined,
  over: AbortSignal,
): Promise<DevDescription> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const dev = await readDescription(dataDir).catch(() => null);
    if (dev !== null && dev.pids.launcher === launcherPid) return dev;
    if (over.aborted) throw new Error('the launcher ended');
    if (performance.now() > deadline) throw new Error(`there is no description of it after ${START_LIMIT_MS / 1000} s`);
    await delay(100);
  }
}

/** A development stack of a benchmark's own: fresh folder, free ports, ended with the benchmark. */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../scripts/engines/freePort.ts';

export interface BenchStack {
  contentUrl: string;
  cabinetApiUrl: string;
  cabinetToken: string;
  databaseUrl: string;
  project: { id: string; key: string };
  pids: Record<string, number>;
  dataDir: string;
  stop(): Promise<void>;
}

interface DevDescription {
  content_url: string;
  cabinet_url: string;
  cabinet_token: string;
  database_url: string;
  project: { id: string; key: string };
  pids: Record<string, number>;
}

const START_LIMIT_MS = 240_000;

/** @param caFile certificates of the benchmark's own servers */
export async function startBenchStack(caFile: string): Promise<BenchStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'attune-bench-'));
  // PostgreSQL runs as another user when this one is root, and has to get in.
  await chmod(dataDir, 0o711);
  const env = {
    ...process.env,
    ATTUNE_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    POSTGRES_PORT: String(await freePort()),
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
    ALLOW_NETWORKS: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: caFile,
    LOG_LEVEL: 'warn',
  };
  const launcher = spawn(process.execPath, ['scripts/dev/start.ts', '--no-demo', '--no-watch'], {
    cwd: join(import.meta.dirname, '../..'), env, stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new AbortController();
  const ended = new Promise<void>((resolve) => {
    launcher.once('exit', () => {
      exited.abort();
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    launcher.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const dev = await readDescription(join(dataDir, 'dev.json'), exited.signal);
    return {
      contentUrl: dev.content_url, cabinetApiUrl: `${dev.cabinet_url}/api`, cabinetToken: dev.cabinet_token,
      databaseUrl: dev.database_url, project: dev.project, pids: dev.pids, dataDir, stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readDescription(path: string, exited: AbortSignal): Promise<DevDescription> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline && !exited.aborted) {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as DevDescription;
    } catch {
      await delay(100);
    }
  }
  throw new Error('the stack did not start; its own lines say why');
}

/** Lifts the documented limits of the project, so that the benchmark meets the machine and not the limiter. */
export async function liftLimits(stack: BenchStack): Promise<void> {
  const response = await fetch(`${stack.cabinetApiUrl}/projects/${stack.project.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${stack.cabinetToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limits: { requests_per_second: 10_000 } }),
  });
  if (!response.ok) throw new Error(`the limits could not be lifted: ${response.status} ${await response.text()}`);
}

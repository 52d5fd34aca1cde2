/** Runs the processes of successive releases on one database, one namespace and one folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKeys, type DevKeys } from '../../../tools/scripts/dev/settings/devFiles.ts';
import { seed } from '../../../tools/scripts/dev/seed.ts';
import { spawnService, type ServiceProcess } from '../../../tools/scripts/dev/services/serviceProcess.ts';
import { SERVICES } from '../../../tools/scripts/dev/services/services.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { settlesWithin } from '../../../tools/scripts/engines/fetch/process.ts';
import { bareEnv } from '../programs/bareEnv.ts';
import { testDuckdbExtensions, testFfmpeg } from '../programs/engines.ts';
import type { TestTemporal } from '../temporal.ts';
import { CA_FILE } from './stack.ts';

const READY_LIMIT_MS = 240_000;
const STOP_GRACE_MS = 120_000;

export interface ReleaseStage {
  keys: DevKeys;
  origin: string;
  /**
   * Starts the processes of the release in `root`. @throws with the last output of a process that does not start
   */
  start(root: string, names: readonly string[], env?: Record<string, string>): Promise<void>;
  /** Returns the address of a process's metrics. */
  metricsOf(name: string): string;
  /** Sends SIGKILL and waits for the end. */
  kill(name: string): Promise<void>;
  /** Stops the processes as a deployment does. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** @param databaseUrl URL of a migrated database */
export async function createReleaseStage(databaseUrl: string, temporal: TestTemporal): Promise<ReleaseStage> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-release-stage-'));
  const keys = await seed(databaseUrl, await loadKeys(folder));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const shared = {
    ...bareEnv(),
    ATTUNE_DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SECRET_KEY: keys.secretKey,
    PUBLIC_URL: origin,
    PORT: new URL(origin).port,
    REQUIRE_HTTPS: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    ALLOW_NETWORKS: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: CA_FILE,
    FFMPEG_PATH: await testFfmpeg(),
    DUCKDB_EXTENSIONS_DIR: await testDuckdbExtensions(),
    LAKE_COMMIT_SECONDS: '1',
    SELECTION_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  };
  const running = new Map<string, ServiceProcess>();
  const metrics = new Map<string, string>();

  async function startOne(root: string, name: string, env: Record<string, string>): Promise<void> {
    const entry = SERVICES.find((service) => service.name === name)?.entry ?? '';
    const metricsPort = String(await freePort());
    metrics.set(name, `http://127.0.0.1:${metricsPort}/metrics`);
    const child = spawnService({
      root,
      entry,
      env: { ...shared, METRICS_PORT: metricsPort, ...env },
      onLine: () => {},
    });
    running.set(name, child);
    const ended = child.exited.then((words) => {
      throw new Error(`${name} of ${root} ended with ${words}: ${child.tail().join('\n')}`);
    });
    ended.catch(() => {});
    if (!(await settlesWithin(Promise.race([child.ready, ended]), READY_LIMIT_MS)))
      throw new Error(`${name} of ${root} does not work: ${child.tail().join('\n')}`);
  }

  async function stop(): Promise<void> {
    await Promise.all([...running.values()].map((child) => child.stop(STOP_GRACE_MS)));
    running.clear();
  }

  return {
    keys,
    origin,
    async start(root, names, env = {}) {
      await Promise.all(names.map((name) => startOne(root, name, env)));
    },
    metricsOf: (name) => metrics.get(name) ?? '',
    async kill(name) {
      const child = running.get(name);
      if (child === undefined) throw new Error(`${name} does not run`);
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    stop,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The development stack: starts its parts in order and stops them in reverse order. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Env } from '../../../config.ts';
import { migrate } from '../../../db/migrate.ts';
import { freePort } from '../engines/servers/freePort.ts';
import { startSampleServer, type SampleServer } from './demo/server.ts';
import {
  loadKeys,
  readSamplesPort,
  saveKeys,
  saveSamplesPort,
  removeDescription,
  writeDescription,
  type DevDescription,
  type DevKeys,
} from './settings/devFiles.ts';
import { startPostgresEngine, startTemporalEngine, type Engine } from './engines.ts';
import { findPrograms, type Programs } from './settings/programs.ts';
import { seed } from './seed.ts';
import { makeSignInUrl } from './signIn.ts';
import { startService, type Service } from './services/service.ts';
import { serviceEnv, withoutSecretKey, writeCaBundle } from './services/serviceEnv.ts';
import { openServiceLog, type ServiceLog } from './services/serviceLog.ts';
import type { ServiceSpec } from './services/services.ts';
import type { DevSettings } from './settings/devSettings.ts';
import type { StackLock } from './lock/stackLock.ts';
import { watchSources } from './services/watchSources.ts';

export interface StackOptions {
  /** The project's folder. */
  root: string;
  /** Folder that the services' entry points and sources are relative to: the project's, except in tests. */
  servicesRoot: string;
  env: Env;
  settings: DevSettings;
  services: readonly ServiceSpec[];
  lock: StackLock;
  report: (line: string) => void;
  /** Aborted when the developer asks to stop: the start then ends after its current step. */
  stopping: AbortSignal;
}

interface StartedEngines {
  databaseUrl: string;
  keys: DevKeys;
  temporal: { address: string; uiUrl: string | null };
}

/**
 * Time limits for the stages of a stop, after which their processes are killed: 26.5 s in total.
 * PostgreSQL writes a checkpoint first; if it is killed meanwhile, its checkpointer outlives the launcher.
 */
const STOP_LIMITS_MS = { api: 3000, relay: 2000, workers: 4500, temporal: 2000, postgres: 15_000 } as const;
const HEALTH_LIMIT_MS = 60_000;

export class Stack {
  readonly #options: StackOptions;
  readonly #pids: Record<string, number> = { launcher: process.pid };
  readonly #metricsPorts: Record<string, number> = {};
  readonly #services: Service[] = [];
  readonly #logs: ServiceLog[] = [];
  #postgres: Engine | undefined;
  #temporal: Engine | undefined;
  #samples: SampleServer | undefined;
  #closeWatch: (() => void) | undefined;
  #description: DevDescription | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: StackOptions) {
    this.#options = options;
  }

  /**
   * Starts everything and returns when it is ready.
   * @throws {Error} for the first part that does not start; the parts that did start still need `stop`.
   */
  async start(): Promise<{ description: DevDescription; samples: SampleServer }> {
    const { settings, env, report, root } = this.#options;
    await removeDescription(settings.dataDir);
    const samples = await startSampleServer(join(root, 'tools/samples'), await readSamplesPort(settings.dataDir));
    await saveSamplesPort(settings.dataDir, samples.port);
    this.#samples = samples;
    const programs = await findPrograms(settings, env, report);
    const { databaseUrl, keys, temporal } = await this.#startEngines(programs);
    const caFile = await writeCaBundle(settings.dataDir, env.NODE_EXTRA_CA_CERTS, samples.ca);
    const input = {
      env,
      settings,
      databaseUrl,
      temporalAddress: temporal.address,
      temporalUiUrl: temporal.uiUrl,
      secretKey: keys.secretKey,
      caFile,
      demoHost: samples.host,
    };
    await this.#startServices(
      serviceEnv({
        ...input,
        ffmpegPath: programs.ffmpeg,
        tessdataDirs: programs.tessdataDirs,
        sentenceEncoderDir: programs.sentenceEncoderDir,
        nudityModelDir: programs.nudityModelDir,
        voiceModelDir: programs.voiceModelDir,
        textReaders: programs.textReaders,
        duckdbExtensionsDir: programs.duckdbExtensionsDir,
      }),
    );
    this.#description = this.#describe(keys, databaseUrl, temporal, await makeSignInUrl(databaseUrl, this.#origin));
    await this.#writeDescription();
    this.#watch();
    return { description: this.#description, samples };
  }

  /** Stops everything that was started, in order; safe after a start that failed halfway. */
  async stop(): Promise<void> {
    this.#description = undefined;
    await this.#writing.catch(() => {});
    await removeDescription(this.#options.settings.dataDir);
    this.#closeWatch?.();
    await this.#stopServices(['api'], STOP_LIMITS_MS.api);
    await this.#stopServices(['relay'], STOP_LIMITS_MS.relay);
    await this.#stopServices(
      this.#services.map(({ name }) => name),
      STOP_LIMITS_MS.workers,
    );
    await this.#temporal?.stop(STOP_LIMITS_MS.temporal);
    await this.#postgres?.stop(STOP_LIMITS_MS.postgres);
    await this.#samples?.close();
    await Promise.all(this.#logs.map((log) => log.close()));
  }

  /** Fills the database while Temporal is still starting, because they do not depend on each other. */
  async #startEngines(programs: Programs): Promise<StartedEngines> {
    const { settings, env, report, stopping } = this.#options;
    const context = { settings, programs, lock: this.#options.lock, report, stopping, onProcess: this.#onProcess };
    const database = async () => {
      this.#postgres = await startPostgresEngine(context);
      stopping.throwIfAborted();
      await migrate(this.#postgres.address);
      const keys = await seed(this.#postgres.address, await loadKeys(settings.dataDir, env.SECRET_KEY?.trim()));
      await saveKeys(settings.dataDir, keys);
      report('PostgreSQL works, the schema is up to date');
      return { databaseUrl: this.#postgres.address, keys };
    };
    const workflows = async () => {
      this.#temporal = await startTemporalEngine(context);
      report('Temporal works');
      return this.#temporal;
    };
    // Waits for both even when one fails, so that a stop finds what the other has started.
    const [postgres, temporal] = await Promise.allSettled([database(), workflows()]);
    if (postgres.status === 'rejected') throw postgres.reason;
    if (temporal.status === 'rejected') throw temporal.reason;
    stopping.throwIfAborted();
    return { ...postgres.value, temporal: temporal.value };
  }

  async #startServices(given: Env): Promise<void> {
    const { settings, services, report, servicesRoot: root, stopping } = this.#options;
    const prepared = await Promise.all(services.map((spec) => this.#prepare(spec)));
    const shared = { SELECTION_PORT: String(await freePort()), ...given };
    for (const [index, spec] of services.entries()) {
      const env = { ...shared, ...prepared[index] };
      const log = openServiceLog(settings.dataDir, spec.name, report);
      this.#logs.push(log);
      const metricsPort = await freePort();
      this.#metricsPorts[spec.name] = metricsPort;
      const onProcess = (pid: number): void => void this.#onProcess(spec.name, pid);
      this.#services.push(
        startService({
          name: spec.name,
          root,
          entry: spec.entry,
          env: { ...(spec.needsSecretKey ? env : withoutSecretKey(env)), METRICS_PORT: String(metricsPort) },
          report,
          stopping,
          onProcess,
          onLine: log.line,
        }),
      );
    }
    report(`starting ${services.map(({ name }) => name).join(', ')}`);
    await Promise.all(this.#services.map((service) => service.ready));
    stopping.throwIfAborted();
    await untilHealthy(`http://127.0.0.1:${settings.port}/content/api/v1/health`, stopping);
  }

  async #prepare({ prepare }: ServiceSpec): Promise<Env> {
    return (await prepare?.(this.#options.env, this.#options.settings.dataDir)) ?? {};
  }

  async #stopServices(names: readonly string[], limitMs: number): Promise<void> {
    const chosen = this.#services.filter(({ name }) => names.includes(name));
    await Promise.all(chosen.map((service) => service.stop(limitMs)));
  }

  /**
   * Records a process in the lock, so that a later launcher can end it if this one is killed, and updates dev.json when
   * the process was restarted.
   */
  #onProcess = async (name: string, pid: number): Promise<void> => {
    this.#pids[name] = pid;
    try {
      await this.#options.lock.record(name, pid);
      await this.#writeDescription();
    } catch (error) {
      this.#options.report(`the new process of ${name} cannot be recorded: ${(error as Error).message}`);
    }
  };

  /**
   * Writes one at a time, each with the latest state; nothing is written before the start has finished or after the
   * stop.
   */
  #writeDescription(): Promise<void> {
    this.#writing = this.#writing
      .catch(() => {})
      .then(async () => {
        if (this.#description === undefined) return;
        await writeDescription(this.#options.settings.dataDir, { ...this.#description, pids: { ...this.#pids } });
      });
    return this.#writing;
  }

  get #origin(): string {
    return `http://127.0.0.1:${this.#options.settings.port}`;
  }

  #describe(
    keys: DevKeys,
    databaseUrl: string,
    temporal: StartedEngines['temporal'],
    signInUrl: string | null,
  ): DevDescription {
    const origin = this.#origin;
    return {
      content_url: `${origin}/content/api/v1`,
      analytics_url: `${origin}/analytics/api/v1`,
      cabinet_url: `${origin}/cabinet`,
      cabinet_token: keys.cabinetToken,
      cabinet_sign_in_url: signInUrl,
      collect_url: `${origin}/collect`,
      database_url: databaseUrl,
      temporal_address: temporal.address,
      temporal_ui_url: temporal.uiUrl,
      project: { id: keys.projectId, key: keys.projectKey },
      site: { id: keys.siteId, api_key: keys.siteApiKey, tag_key: keys.siteTagKey },
      metrics_urls: Object.fromEntries(
        Object.entries(this.#metricsPorts).map(([name, port]) => [name, `http://127.0.0.1:${port}/metrics`]),
      ),
      pids: { ...this.#pids },
    };
  }

  #watch(): void {
    const { servicesRoot: root, services, settings, report } = this.#options;
    if (!settings.watch) return;
    const sources = [...new Set(services.flatMap((spec) => spec.sources))];
    this.#closeWatch = watchSources(root, sources, (saved) => {
      const touched = services.filter((spec) => spec.sources.some((source) => saved.has(source)));
      report(`saved: ${[...saved].join(', ')}; restarting ${touched.map(({ name }) => name).join(', ')}`);
      for (const spec of touched) void this.#restart(spec);
    });
  }

  /** Restarts a service, or leaves it as it is when its files cannot be built. */
  async #restart(spec: ServiceSpec): Promise<void> {
    const { name } = spec;
    try {
      await this.#prepare(spec);
    } catch (error) {
      this.#options.report(`${name} is not restarted: ${(error as Error).message}`);
      return;
    }
    for (const service of this.#services) if (service.name === name) void service.restart();
  }
}

/** Waits for any response: with REQUIRE_HTTPS=true it is 403. */
async function untilHealthy(url: string, stopping: AbortSignal): Promise<void> {
  const deadline = performance.now() + HEALTH_LIMIT_MS;
  for (;;) {
    try {
      await (await fetch(url, { signal: stopping })).arrayBuffer();
      return;
    } catch (error) {
      stopping.throwIfAborted();
      if (performance.now() > deadline) throw new Error(`the API does not answer at ${url}`, { cause: error });
    }
    await delay(50);
  }
}

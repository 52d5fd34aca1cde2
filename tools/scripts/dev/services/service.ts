/** Keeps a service running: starts it, restarts it when it dies or its sources change, and stops it. */
import { settlesWithin } from '../../engines/fetch/process.ts';
import { spawnService, type ServiceProcess, type ServiceProcessOptions } from './serviceProcess.ts';

/** Generous, because it only has to end a hang: on a busy machine a process needs a minute to start. */
const READY_LIMIT_MS = 240_000;
const RESTART_GRACE_MS = 5000;
/** A run of this length counts as a success, which resets the backoff. */
export const STABLE_MS = 30_000;
const MAX_PAUSE_MS = 30_000;

export interface ServiceOptions extends ServiceProcessOptions {
  name: string;
  report: (line: string) => void;
  /** Called with each new process of the service. */
  onProcess: (pid: number) => void;
  /** Once aborted, the end of the service is not an error. */
  stopping: AbortSignal;
}

export interface Service {
  readonly name: string;
  /** Resolves when the first run is ready. Rejects when it ends first, or is not ready in time. */
  readonly ready: Promise<void>;
  /** Stops the running process and starts another; also ends a backoff pause. */
  restart(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/** Returns the pause before start number `failures + 1`: 0.5 s, doubled each time, at most 30 s. */
export function restartPauseMs(failures: number): number {
  return Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(failures - 1, 10));
}

export function startService(options: ServiceOptions): Service {
  return new RestartedService(options);
}

class RestartedService implements Service {
  readonly name: string;
  readonly ready: Promise<void>;
  readonly #options: ServiceOptions;
  readonly #first = Promise.withResolvers<void>();
  readonly #finished: Promise<void>;
  #isStopping = false;
  #isRestarting = false;
  #wasReady = false;
  #current: ServiceProcess | undefined;
  /** Ends the pause before a restart. */
  #wake = (): void => {};

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.name = options.name;
    this.ready = this.#first.promise;
    this.ready.catch(() => {}); // an awaiting caller sees the rejection; during an early stop nothing awaits it
    this.#limitFirstStart();
    this.#finished = this.#run().catch((error: Error) => this.#first.reject(error));
  }

  async restart(): Promise<void> {
    const run = this.#current;
    this.#isRestarting = run !== undefined && !run.ended;
    this.#wake();
    await run?.stop(RESTART_GRACE_MS);
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#current?.stop(graceMs);
    await this.#finished;
    this.#first.reject(new Error(`${this.name} was stopped`));
  }

  get #isOver(): boolean {
    return this.#isStopping || this.#options.stopping.aborted;
  }

  #limitFirstStart(): void {
    const late = new Error(`${this.name} did not start working within ${READY_LIMIT_MS / 1000} s`);
    const limit = setTimeout(() => this.#first.reject(late), READY_LIMIT_MS);
    this.ready.finally(() => clearTimeout(limit)).catch(() => {});
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#isOver) {
      const { ended, lasted } = await this.#runOnce(failures);
      if (this.#isOver) return;
      if (this.#isRestarting) {
        this.#isRestarting = false;
        failures = 0;
        continue;
      }
      if (!this.#wasReady) return this.#first.reject(new Error(firstFailure(this.name, ended, this.#current)));
      failures = lasted > STABLE_MS ? 1 : failures + 1;
      const ms = restartPauseMs(failures);
      this.#options.report(
        `${this.name} ended with ${ended}: starting it again in ${ms / 1000} s, or when its sources are saved`,
      );
      await settlesWithin(new Promise<void>((resolve) => (this.#wake = resolve)), ms);
    }
  }

  async #runOnce(failures: number): Promise<{ ended: string; lasted: number }> {
    const started = performance.now();
    const run = spawnService(this.#options);
    this.#current = run;
    this.#options.onProcess(run.pid);
    void run.ready.then(() => {
      if (this.#wasReady && !this.#isOver) this.#options.report(`${this.name} works again${failureSuffix(failures)}`);
      this.#wasReady = true;
      this.#first.resolve();
    });
    const ended = await run.exited;
    return { ended, lasted: performance.now() - started };
  }
}

function failureSuffix(failures: number): string {
  return failures > 0 ? ` after ${failures} failed ${failures === 1 ? 'run' : 'runs'}` : '';
}

function firstFailure(name: string, ended: string, run: ServiceProcess | undefined): string {
  return [`${name} does not start: ${ended}`, ...(run?.tail() ?? []).map((line) => `  ${line}`)].join('\n');
}

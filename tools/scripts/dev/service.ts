/** Keeps a service running: starts it, restarts it when it dies or its sources change, and stops it. */
import { within } from '../engines/process.ts';
import { spawnService, type ServiceProcess, type ServiceProcessOptions } from './serviceProcess.ts';

/** Only ends a hang; on a busy machine a process needs a minute to start. */
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
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => {}); // an awaiting caller sees the rejection; during an early stop nothing awaits it
  const state = {
    stopping: false,
    restarting: false,
    everReady: false,
    current: undefined as ServiceProcess | undefined,
    wake: () => {},
  };
  const limit = setTimeout(
    () => first.reject(new Error(`${options.name} did not start working within ${READY_LIMIT_MS / 1000} s`)),
    READY_LIMIT_MS,
  );
  first.promise.finally(() => clearTimeout(limit)).catch(() => {});

  const over = (): boolean => state.stopping || options.stopping.aborted;

  async function runOnce(failures: number): Promise<{ ended: string; lasted: number }> {
    const started = performance.now();
    const run = spawnService(options);
    state.current = run;
    options.onProcess(run.pid);
    void run.ready.then(() => {
      if (state.everReady && !over())
        options.report(
          `${options.name} works again${failures > 0 ? ` after ${failures} failed ${failures === 1 ? 'run' : 'runs'}` : ''}`,
        );
      state.everReady = true;
      first.resolve();
    });
    const ended = await run.exited;
    return { ended, lasted: performance.now() - started };
  }

  async function pause(ms: number): Promise<void> {
    await within(new Promise<void>((resolve) => (state.wake = resolve)), ms);
  }

  async function loop(): Promise<void> {
    let failures = 0;
    while (!over()) {
      const { ended, lasted } = await runOnce(failures);
      if (over()) return;
      if (state.restarting) {
        state.restarting = false;
        failures = 0;
        continue;
      }
      if (!state.everReady) return first.reject(new Error(firstFailure(options.name, ended, state.current)));
      failures = lasted > STABLE_MS ? 1 : failures + 1;
      const ms = restartPauseMs(failures);
      options.report(
        `${options.name} ended with ${ended}: starting it again in ${ms / 1000} s, or when its sources are saved`,
      );
      await pause(ms);
    }
  }

  const finished = loop().catch((error: Error) => first.reject(error));
  return {
    name: options.name,
    ready: first.promise,
    async restart() {
      const run = state.current;
      state.restarting = run !== undefined && !run.ended;
      state.wake();
      await run?.stop(RESTART_GRACE_MS);
    },
    async stop(graceMs) {
      state.stopping = true;
      state.wake();
      await state.current?.stop(graceMs);
      await finished;
      first.reject(new Error(`${options.name} was stopped`));
    },
  };
}

function firstFailure(name: string, ended: string, run: ServiceProcess | undefined): string {
  return [`${name} does not start: ${ended}`, ...(run?.tail() ?? []).map((line) => `  ${line}`)].join('\n');
}

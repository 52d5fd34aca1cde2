/** Keeps a service running: starts it, restarts it when it dies or its sources change, stops it. */
import { within } from '../engines/process.ts';
import { spawnService, type ServiceProcess, type ServiceProcessOptions } from './serviceProcess.ts';

const READY_LIMIT_MS = 60_000;
const RESTART_GRACE_MS = 5000;
/** A run of this length was a success: the next fault starts from the shortest pause again. */
export const STABLE_MS = 30_000;
const LONGEST_PAUSE_MS = 30_000;

export interface ServiceOptions extends ServiceProcessOptions {
  name: string;
  report: (line: string) => void;
  /** Each new process of the service. */
  onProcess: (pid: number) => void;
  /** From its abort on, the service's end is no fault. */
  stopping: AbortSignal;
}

export interface Service {
  readonly name: string;
  /** Resolves when the first run works. Rejects when it ends before, or does not work within a minute. */
  readonly ready: Promise<void>;
  /** Stops the running process and starts another; ends a pause as well. */
  restart(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/** The pause before start number `failures + 1`: 0.5 s, doubled each time, at most 30 s. */
export function restartPauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(failures - 1, 10));
}

export function startService(options: ServiceOptions): Service {
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => {}); // whoever awaits it sees the rejection; nobody awaits it during an early stop
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

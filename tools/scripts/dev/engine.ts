/** Keeps PostgreSQL or Temporal running: restarts one that dies on the same data and port. */
import { setTimeout as delay } from 'node:timers/promises';
import { signalGroup, settlesWithin } from '../engines/fetch/process.ts';
import { restartPauseMs, STABLE_MS } from './services/service.ts';

export interface EngineServer {
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

export interface EngineOptions<Server extends EngineServer> {
  name: string;
  start: () => Promise<Server>;
  report: (line: string) => void;
  /** Called with each new process of the engine. */
  onProcess: (pid: number) => Promise<void>;
  /** Once aborted, the end of the engine is not an error. */
  stopping: AbortSignal;
}

export interface KeptEngine<Server extends EngineServer> {
  /** The server of the first run; its addresses stay valid for later runs. */
  server: Server;
  stop(limitMs: number): Promise<void>;
}

/** @throws the error of `start` when the first start fails. */
export async function keepEngine<Server extends EngineServer>(
  options: EngineOptions<Server>,
): Promise<KeptEngine<Server>> {
  const server = await options.start();
  await options.onProcess(server.pid);
  const stop = new AbortController();
  const stopping = AbortSignal.any([stop.signal, options.stopping]);
  let current = server;

  async function watch(): Promise<void> {
    let failures = 0;
    while (!stopping.aborted) {
      const startedAt = performance.now();
      const ended = await current.exited;
      if (stopping.aborted) return;
      failures = performance.now() - startedAt > STABLE_MS ? 1 : failures + 1;
      options.report(`${options.name} ended with ${ended}: starting it again`);
      current = await startAgain(options, failures, stopping);
      await options.onProcess(current.pid);
      options.report(`${options.name} works again`);
    }
  }

  const watching = watch().catch(() => {}); // only an abort ends it this way
  return {
    server,
    async stop(limitMs) {
      stop.abort();
      if (!(await settlesWithin(current.stop(), limitMs))) {
        signalGroup(current.pid, 'SIGKILL');
        await current.exited;
      }
      await watching;
    },
  };
}

async function startAgain<Server extends EngineServer>(
  options: EngineOptions<Server>,
  failures: number,
  stopping: AbortSignal,
): Promise<Server> {
  for (let attempt = failures; ; attempt += 1) {
    await delay(restartPauseMs(attempt), undefined, { signal: stopping });
    try {
      return await options.start();
    } catch (error) {
      options.report(`${options.name} does not start: ${(error as Error).message}`);
    }
  }
}

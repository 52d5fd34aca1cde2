/** A worker thread behind a promise: started on first use, restarted after it dies, one job at a time. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Reply } from './serve.ts';

export interface ThreadOptions {
  /** The thread's entry; a .ts file runs under type stripping. */
  entry: URL;
  /** Passed to the entry as `workerData`; must survive structured cloning. */
  data: unknown;
  /** Old-generation heap of the thread, so that a runaway input kills the thread and not the process. */
  heapMb: number;
  /**
   * Whether an aborted job runs to completion with nobody waiting, for short jobs of a thread that starts slowly.
   * Otherwise the thread is ended.
   */
  finishesAborted?: boolean;
}

export interface CallOptions {
  signal: AbortSignal;
  /** Limit of the elapsed time, which a busy machine can use up for a job of any size. */
  timeoutMs: number;
  /**
   * Limit of the thread's processor time, which a busy machine does not use up; for a thread that does all of its work
   * itself.
   */
  cpuMs?: number;
  /** Called when the jobs before it have ended, and this one starts. */
  onStart?: () => void;
  /** Called when a job that has started ends, however it ends, and before the next one starts. */
  onEnd?: () => void;
}

/** The thread ended without being asked to: out of memory, or an error outside any job. */
export class ThreadDiedError extends Error {
  override readonly name = 'ThreadDiedError';
}

/** The job exceeded its time limit; its thread was ended. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError';
}

/** The job exceeded its limit of processor time; its thread was ended. */
export class ThreadCpuLimitError extends Error {
  override readonly name = 'ThreadCpuLimitError';
}

/** The job threw; `message`, and `code` and `syscall` if present, are those of the thread's error. */
export class ThreadJobError extends Error {
  override readonly name = 'ThreadJobError';
}

export interface Thread<Request, Result> {
  /**
   * Runs one job after those requested before it. The limits of time count from the start of the job. Rejects with the
   * signal's reason, `ThreadTimeoutError`, `ThreadCpuLimitError`, `ThreadDiedError` or `ThreadJobError`; in the first
   * three cases the thread is ended (see `finishesAborted`), since a running job cannot be interrupted otherwise.
   */
  call(request: Request, options: CallOptions): Promise<Result>;
  /** Ends the thread; later calls reject. */
  close(): Promise<void>;
}

export function createThread<Request, Result>(options: ThreadOptions): Thread<Request, Result> {
  let worker: Worker | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let closed = false;

  function start(): Worker {
    const started = new Worker(fileURLToPath(options.entry.href), {
      workerData: options.data,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
    });
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function stop(): Promise<void> {
    const running = worker;
    worker = undefined;
    await running?.terminate();
  }

  async function runJob(request: Request, { signal, onStart, onEnd, ...limits }: CallOptions): Promise<Result> {
    if (closed) throw new ThreadDiedError('the thread is closed');
    signal.throwIfAborted();
    onStart?.();
    worker ??= start();
    try {
      const interrupt = options.finishesAborted === true ? null : signal;
      return await exchange<Request, Result>(worker, request, interrupt, limits);
    } catch (error) {
      if (!(error instanceof ThreadJobError)) await stop();
      throw error;
    } finally {
      onEnd?.();
    }
  }

  return {
    call(request, callOptions) {
      const job = tail.then(() => runJob(request, callOptions));
      tail = job.catch(() => undefined);
      return raceAbort(job, callOptions.signal);
    },
    async close() {
      closed = true;
      await stop();
    },
  };
}

/** Lets a queued job be abandoned immediately. */
function raceAbort<T>(job: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([job, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/**
 * Sends one job and waits for the first of reply, failure, limit and abort. Only a working thread keeps the process
 * alive.
 */
function exchange<Request, Result>(
  worker: Worker,
  request: Request,
  signal: AbortSignal | null,
  { timeoutMs, cpuMs }: Pick<CallOptions, 'timeoutMs' | 'cpuMs'>,
): Promise<Result> {
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onMessage = (reply: Reply<Result>): void => {
    if (reply.ok) resolve(reply.result);
    else reject(Object.assign(new ThreadJobError(reply.message), reply.system));
  };
  const onError = (error: unknown): void => reject(new ThreadDiedError(`the thread failed: ${nameOf(error)}`));
  const onExit = (): void => reject(new ThreadDiedError('the thread ended'));
  const onAbort = (): void => reject(signal?.reason);
  const timer = setTimeout(() => reject(new ThreadTimeoutError(`no result within ${timeoutMs} ms`)), timeoutMs);
  const stopMetering = cpuMs === undefined ? () => undefined : meter(worker, cpuMs, reject);
  worker.once('message', onMessage).once('error', onError).once('exit', onExit);
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.postMessage(request);
  return promise.finally(() => {
    clearTimeout(timer);
    stopMetering();
    signal?.removeEventListener('abort', onAbort);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    worker.unref();
  });
}

/**
 * The share of `cpuMs` that passes on the clock before the metering begins: most jobs end earlier and need no metering.
 */
const UNMETERED_SHARE = 1 / 60;

/**
 * Rejects when the thread has used `cpuMs` of processor time. Metering begins when a sixtieth of `cpuMs` has passed on
 * the clock; what the thread uses until then is not counted.
 * @returns a function that ends the metering
 */
function meter(worker: Worker, cpuMs: number, reject: (error: Error) => void): () => void {
  let isOn = true;
  const look = async (before: number): Promise<void> => {
    const used = (await cpuTimeOf(worker)) - before;
    if (!isOn) return;
    if (used >= cpuMs) reject(new ThreadCpuLimitError(`no result within ${cpuMs} ms of processor time`));
    // One thread cannot use more processor time than time passes.
    else next = setTimeout(() => void look(before), Math.max(1, cpuMs - used));
  };
  const begin = async (): Promise<void> => {
    const before = await cpuTimeOf(worker);
    if (isOn) next = setTimeout(() => void look(before), cpuMs);
  };
  let next = setTimeout(() => void begin(), cpuMs * UNMETERED_SHARE);
  return () => {
    isOn = false;
    clearTimeout(next);
  };
}

/** Returns the processor time of a thread, in ms; 0 if it has not started or has ended. */
async function cpuTimeOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}

/** Returns the class of an error; its message could quote content. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

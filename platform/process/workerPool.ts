/** Several processes of one kind on one port, replaced one by one; node:cluster only shares the port. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface WorkerPoolOptions {
  /**
   * Absolute path of the entry that each process runs; it reports `{type: 'ready'}` when it works
   * (platform/process/lifecycle.ts).
   */
  entry: string;
  size: number;
  /**
   * Returns the variables of a process in addition to this process's own. Slots count from 0; a process that replaces
   * another has another slot.
   */
  environmentOf(slot: number): Record<string, string>;
  onEvent(message: string, details: object): void;
}

export interface WorkerPool {
  /** Resolves when every process works. @throws when one ends before it does */
  start(): Promise<void>;
  /** Replaces each process by a new one, running the present code, before it is asked to stop. */
  replaceAll(): Promise<void>;
  stop(): Promise<void>;
}

const RESTART_PAUSE_MS = 1_000;

/**
 * Creates a pool. The listening socket is held here and shared with every process, so connections that wait for a
 * stopping process are accepted by another. (With SO_REUSEPORT each would have a queue of its own, and its end would
 * reset the connections in it.)
 */
export function createWorkerPool({ entry, size, environmentOf, onEvent }: WorkerPoolOptions): WorkerPool {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: entry });
  const slots = new Map<number, Worker>();
  const leaving = new Set<Worker>();
  let stopping = false;

  function freeSlot(): number {
    let slot = 0;
    while (slots.has(slot)) slot += 1;
    return slot;
  }

  async function add(): Promise<void> {
    const slot = freeSlot();
    const worker = cluster.fork(environmentOf(slot));
    slots.set(slot, worker);
    worker.once('exit', (code, signal) => {
      slots.delete(slot);
      if (stopping || leaving.delete(worker)) return;
      onEvent('an API process ended', { pid: worker.process.pid, code, signal });
      void delay(RESTART_PAUSE_MS).then(addIfMissing);
    });
    await untilReady(worker);
    onEvent('an API process is ready', { pid: worker.process.pid });
  }

  /** Replaces a process that ended, unless a replacement of all has done so. One that is leaving does not count. */
  async function addIfMissing(): Promise<void> {
    if (!stopping && slots.size - leaving.size < size) await add().catch(() => {});
  }

  async function end(worker: Worker): Promise<void> {
    if (worker.isDead()) return;
    leaving.add(worker);
    const ended = once(worker, 'exit');
    worker.process.kill('SIGTERM');
    await ended;
  }

  return {
    start: async () => void (await Promise.all(Array.from({ length: size }, add))),
    async replaceAll() {
      const old = Array.from(slots.values());
      for (const worker of old) {
        if (stopping) return;
        if (worker.isDead()) continue;
        await add();
        await end(worker);
      }
      // Processes that died meanwhile, old or new, are counted only now that none is leaving.
      while (!stopping && slots.size < size) await add();
    },
    async stop() {
      stopping = true;
      await Promise.all([...slots.values()].map(end));
    },
  };
}

async function untilReady(worker: Worker): Promise<void> {
  const over = new AbortController();
  const ended = once(worker, 'exit', { signal: over.signal }).then(() => {
    throw new Error(`the process ${worker.process.pid} ended before it was ready`);
  });
  ended.catch(() => {});
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: { type?: string }) => {
      if (message?.type === 'ready') resolve();
    });
  });
  await Promise.race([ready, ended]);
  over.abort();
}

/** The receiver as the benchmark sees it. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answer, Order, Receipts, Reply } from './receiverProcess.ts';

export interface Receiver {
  pid: number;
  /** One for each address, each an origin of its own. */
  urls: readonly string[];
  /** How an address answers from now on; requests that hang break off. */
  setAnswer(address: number, answer: Answer): Promise<void>;
  /**
   * The receipts of a run, once so many of its items have come.
   * @throws when they have not after `patienceMs`
   */
  collect(run: string, count: number, patienceMs?: number): Promise<Receipts>;
  close(): void;
}

const PATIENCE_MS = 120_000;

export async function startReceiver(addresses: number): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiverProcess.ts'), { serialization: 'advanced' });
  const pending = new Map<number, (reply: Reply) => void>();
  child.on('message', ({ id, reply }: { id: number; reply: Reply }) => {
    pending.get(id)?.(reply);
    pending.delete(id);
  });
  let orders = 0;
  const ask = (order: Order): Promise<Reply> => new Promise((resolve) => {
    orders += 1;
    pending.set(orders, resolve);
    child.send({ id: orders, order });
  });
  const ports = (await ask({ ask: 'open', addresses })) as number[];
  return {
    pid: child.pid ?? Number.NaN,
    urls: ports.map((port) => `https://127.0.0.1:${port}/hook`),
    setAnswer: async (address, answer) => void (await ask({ ask: 'answer', address, answer })),
    collect: async (run, count, patienceMs = PATIENCE_MS) => {
      const receipts = (await ask({ ask: 'collect', run, count, patienceMs })) as Receipts;
      const came = receipts.receivedAt.size;
      if (came < count) throw new Error(`${came} of ${count} webhooks of ${run} came within ${patienceMs / 1000} s`);
      return receipts;
    },
    close: () => void child.disconnect(),
  };
}

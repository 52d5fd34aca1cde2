/** The receiver, as the benchmark uses it. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answer, Command, Receipts, Reply } from './receiverProcess.ts';

export interface Receiver {
  pid: number;
  /** One URL per address, each with its own origin. */
  urls: readonly string[];
  /** Sets how an address answers from now on; hanging requests are aborted. */
  setAnswer(address: number, answer: Answer): Promise<void>;
  /**
   * Returns the receipts of a run, once this many items of each of its webhooks have arrived.
   * @throws when they have not after two minutes
   */
  collect(run: string, counts: readonly number[]): Promise<Receipts>;
  close(): void;
}

const COLLECT_TIMEOUT_MS = 120_000;

export async function startReceiver(addresses: number): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiverProcess.ts'), { serialization: 'advanced' });
  const pending = new Map<number, (reply: Reply) => void>();
  child.on('message', ({ id, reply }: { id: number; reply: Reply }) => {
    pending.get(id)?.(reply);
    pending.delete(id);
  });
  let orders = 0;
  const ask = (order: Command): Promise<Reply> =>
    new Promise((resolve) => {
      orders += 1;
      pending.set(orders, resolve);
      child.send({ id: orders, order });
    });
  const ports = (await ask({ ask: 'open', addresses })) as number[];
  return {
    pid: child.pid ?? Number.NaN,
    urls: ports.map((port) => `https://127.0.0.1:${port}/hook`),
    setAnswer: async (address, answer) => void (await ask({ ask: 'answer', address, answer })),
    collect: async (run, counts) =>
      mergeReceipts(await Promise.all(counts.map((count, index) => collectOne(ask, `${run}/${index}`, count)))),
    close: () => void child.disconnect(),
  };
}

async function collectOne(ask: (order: Command) => Promise<Reply>, run: string, count: number): Promise<Receipts> {
  const receipts = (await ask({ ask: 'collect', run, count, patienceMs: COLLECT_TIMEOUT_MS })) as Receipts;
  const came = receipts.receivedAt.size;
  if (came < count)
    throw new Error(`${came} of ${count} webhooks of ${run} arrived within ${COLLECT_TIMEOUT_MS / 1000} s`);
  return receipts;
}

function mergeReceipts(parts: readonly Receipts[]): Receipts {
  return {
    receivedAt: new Map(parts.flatMap(({ receivedAt }) => [...receivedAt])),
    repeats: parts.reduce((sum, { repeats }) => sum + repeats, 0),
  };
}

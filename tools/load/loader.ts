/** Generates load on request, in a process of its own, so that it does not delay the event loop of the measurement. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stopProcess } from './stopProcess.ts';

export interface Loader<Order, Reply> {
  /** Sends one order at a time. @throws when the process ends before its reply */
  send(order: Order): Promise<Reply>;
  stop(): Promise<void>;
}

/** @param path path of a file that calls `serveCommands` */
export function startLoader<Order extends object, Reply>(path: string): Loader<Order, Reply> {
  const child = fork(path, { execArgv: [] });
  return {
    async send(order) {
      child.send(order);
      const [reply] = (await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => Promise.reject(new Error('the load ended'))),
      ])) as [Reply];
      return reply;
    },
    stop: () => stopProcess(child),
  };
}

/** Runs the loader's side: an order that fails ends the process. */
export function serveCommands<Order, Reply>(run: (order: Order) => Promise<Reply>): void {
  process.on('message', (order: Order) => {
    run(order).then(
      (reply) => process.send?.(reply),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

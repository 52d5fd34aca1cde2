/** Generates load on request, in a process of its own, so that it does not delay the event loop of the measurement. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stopProcess } from './stopProcess.ts';

export interface Loader<Command, Reply> {
  /** Sends one command at a time. @throws when the process ends before its reply */
  send(command: Command): Promise<Reply>;
  stop(): Promise<void>;
}

/** @param path path of a file that calls `serveCommands` */
export function startLoader<Command extends object, Reply>(path: string): Loader<Command, Reply> {
  const child = fork(path, { execArgv: [] });
  return {
    async send(command) {
      child.send(command);
      const [reply] = (await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => Promise.reject(new Error('the load ended'))),
      ])) as [Reply];
      return reply;
    },
    stop: () => stopProcess(child),
  };
}

/** Runs the loader's side: a command that fails ends the process. */
export function serveCommands<Command, Reply>(run: (command: Command) => Promise<Reply>): void {
  process.on('message', (command: Command) => {
    run(command).then(
      (reply) => process.send?.(reply),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

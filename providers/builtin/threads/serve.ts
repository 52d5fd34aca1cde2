/** The thread's side of `createThread`: answers each request with one reply. */
import { parentPort } from 'node:worker_threads';

export type Reply<Result> = { ok: true; result: Result } | { ok: false; message: string; system: SystemFault };

/** The operating system's part of an error, as in Node's errors; empty for any other. */
export interface SystemFault {
  code?: string;
  syscall?: string;
}

/**
 * Answers every message of the parent with `handle`. A throw becomes a failed reply, so that the thread survives.
 * @throws if not run in a worker thread
 */
export function serve<Request, Result>(handle: (request: Request) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('serve() runs in a worker thread only');
  const reply = (value: Reply<Result>): void => port.postMessage(value);
  port.on('message', (request: Request) => {
    Promise.resolve()
      .then(() => handle(request))
      .then(
        (result) => reply({ ok: true, result }),
        (error: unknown) =>
          reply({
            ok: false,
            message: error instanceof Error ? error.message : 'unknown',
            system: systemFaultOf(error),
          }),
      );
  });
}

function systemFaultOf(error: unknown): SystemFault {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string' ? { code, syscall } : {};
}

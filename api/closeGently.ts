import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Requests that are still running after this time are aborted. */
const CLOSE_MS = 8_000;
/** After this time a connection in use has received a response with `Connection: close`. */
const IDLE_MS = 1_500;

/** Accepts no more connections and lets running requests finish, for at most {@link CLOSE_MS}. */
export function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setTimeout(() => server.closeIdleConnections(), IDLE_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    // This is not the `close` of http, which closes idle connections at once: the next request may be on its way on any
    // of them.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(idle);
      clearTimeout(deadline);
      resolve();
    });
  });
}

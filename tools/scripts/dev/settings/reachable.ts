import { connect } from 'node:net';

const CONNECT_TIMEOUT_MS = 3000;

/** Returns why a TCP connection to a configured server fails; null when it succeeds. */
export function connectError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const settle = (result: string | null) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => settle(null));
    socket.once('timeout', () => settle('no answer within 3 s'));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
  });
}

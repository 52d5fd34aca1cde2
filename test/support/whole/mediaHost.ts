/** An https host of media whose answers a test decides and can delay. */
import type { RequestListener } from 'node:http';
import { startHttps } from '../../platform/outgoing/support/servers.ts';

export interface MediaHost {
  /** https://127.0.0.1:PORT */
  url: string;
  /** Number of requests so far, by path. */
  readonly counts: Map<string, number>;
  /** Answers a path with bytes or with the given listener. */
  serve(path: string, content: Buffer | RequestListener): void;
  /** Resolves when a path has been requested that many times. */
  asked(path: string, times?: number): Promise<void>;
}

/** Starts a host, which stops with the other test servers: `cleanUp` of test/platform/outgoing/support/servers.ts. */
export async function startMediaHost(): Promise<MediaHost> {
  const listeners = new Map<string, RequestListener>();
  const counts = new Map<string, number>();
  const waiters = new Set<() => void>();
  const server = await startHttps((request, response) => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    for (const look of waiters) look();
    const listener = listeners.get(path);
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  return {
    url: `https://127.0.0.1:${server.port}`,
    counts,
    serve(path, content) {
      listeners.set(
        path,
        typeof content === 'function'
          ? content
          : (_request, response) => {
              response.writeHead(200, { 'content-length': content.length }).end(content);
            },
      );
    },
    asked: (path, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if ((counts.get(path) ?? 0) < times) return;
          waiters.delete(look);
          resolve();
        };
        waiters.add(look);
        look();
      }),
  };
}

/** Creates a gate that stays closed until the test opens it. */
export function createGate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

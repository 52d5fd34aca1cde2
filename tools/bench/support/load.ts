/** HTTP load over loopback, at full speed or at a fixed rate. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Target {
  /** Base address of the API. */
  url: string;
  key: string;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** Builds the n-th request. */
export type MakeRequest = (n: number) => LoadRequest;

export interface Load {
  /** Returns requests per second in a closed loop: `connections` at a time, each waiting for its response. */
  atFullSpeed(make: MakeRequest, count: number, connections: number): Promise<number>;
  /**
   * Returns the latency of each request in milliseconds, in an open loop: a slow response does not delay the next
   * request.
   */
  atPace(make: MakeRequest, perSecond: number, seconds: number): Promise<number[]>;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 40;

/** @throws from its promises when a response is not 2xx */
export function createLoad({ url, key }: Target): Load {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: MAX_CONNECTIONS, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  async function send({ method, path, body }: LoadRequest): Promise<number> {
    const start = performance.now();
    const answer = await pool.request({ method, path: pathname + path, headers, ...(body !== undefined && { body }) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    return performance.now() - start;
  }

  return {
    async atFullSpeed(make, count, connections) {
      let next = 0;
      const start = performance.now();
      const worker = async (): Promise<void> => {
        while (next < count) await send(make(next++));
      };
      await Promise.all(Array.from({ length: connections }, worker));
      return count / ((performance.now() - start) / 1000);
    },
    async atPace(make, perSecond, seconds) {
      const start = performance.now();
      const pending: Promise<number>[] = [];
      for (let n = 0; n < perSecond * seconds; n += 1) {
        const wait = start + (n * 1000) / perSecond - performance.now();
        if (wait > 0) await delay(wait);
        pending.push(send(make(n)));
      }
      return Promise.all(pending);
    },
    close: () => pool.close(),
  };
}

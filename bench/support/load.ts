/** HTTP load over loopback: as fast as it goes, or at a pace. */
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

/** Makes the n-th request. */
export type MakeRequest = (n: number) => LoadRequest;

export interface Load {
  /** Requests a second, closed loop: `connections` at a time, each waits for its answer. */
  atFullSpeed(make: MakeRequest, count: number, connections: number): Promise<number>;
  /** Milliseconds of each answer, open loop: a slow answer does not slow the next request down. */
  atPace(make: MakeRequest, perSecond: number, seconds: number): Promise<number[]>;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 40;

/** @throws by its promises when an answer is not 2xx */
export function createLoad({ url, key }: Target): Load {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: MOST_CONNECTIONS, pipelining: 1 });
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

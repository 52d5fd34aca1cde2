/** Repeats one request while something else is running, from the probe's own process, which is idle. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { percentile } from '../../load/figures.ts';

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  key?: string;
  /** The address that the proxy names: the API trusts this machine as a proxy. */
  from: string;
  body?: unknown;
}

/** @returns the status; 0 when there is no response in time */
export type AskApi = (ask: Ask) => Promise<number>;

const TIMEOUT_MS = 30_000;
/** A little less than the API keeps an idle connection. */
const KEPT_MS = 60_000;

export function createAskApi(origin: string): { ask: AskApi; close(): Promise<void> } {
  const dispatcher = new Agent({
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connectTimeout: TIMEOUT_MS,
    keepAliveTimeout: KEPT_MS,
  });
  return {
    async ask({ method = 'GET', path, key, from, body }) {
      try {
        const answer = await request(origin + path, {
          method,
          dispatcher,
          headers: {
            'x-forwarded-for': from,
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        await answer.body.dump();
        return answer.statusCode;
      } catch {
        return 0;
      }
    },
    close: () => dispatcher.close(),
  };
}

export interface WatchedResponses {
  statuses: Record<string, number>;
  /** Latency of each request in milliseconds. */
  latencies: number[];
}

/**
 * Sends requests at a fixed rate, whether they are answered or not, until it is stopped; `stop` waits for the last
 * responses.
 */
export function watch(perSecond: number, ask: () => Promise<number>): { stop(): Promise<WatchedResponses> } {
  const seen: WatchedResponses = { statuses: {}, latencies: [] };
  const pending: Promise<void>[] = [];
  const once = async (): Promise<void> => {
    const begun = performance.now();
    const status = await ask();
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    seen.latencies.push(performance.now() - begun);
  };
  const timer = setInterval(() => pending.push(once()), 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return seen;
    },
  };
}

export const sumOf = (statuses: Record<string, number>): number =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0);

/** Counts the responses with an unexpected status. Returns NaN, which fails every target, if there is no response. */
export function countUnexpected(expected: readonly number[], statuses: Record<string, number>): number {
  const all = sumOf(statuses);
  return all === 0 ? Number.NaN : all - expected.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
}

export const latencyPercentile = (percent: number, { latencies }: WatchedResponses): number =>
  percentile(latencies, percent);

/** Returns the milliseconds until the wanted answer. */
export async function timeUntil(isReached: () => Promise<boolean>, limitMs: number, everyMs = 100): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < limitMs) {
    if (await isReached()) return performance.now() - begun;
    await delay(everyMs);
  }
  return Number.NaN;
}

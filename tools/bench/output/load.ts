/** An open loop: requests are sent at their scheduled times, and latency counts from that time. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { randomOf } from './world/chance.ts';

export interface Answer {
  status: number;
  /** Mode of an output response; null for anything else. */
  mode: string | null;
  body: unknown;
  /** Latency from the time at which the request should have been sent. */
  ms: number;
}

export interface Scheduled<T> {
  /** Milliseconds from the start. */
  at: number;
  request: T;
}

export interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object | string;
}

export interface BenchClient {
  /** @param since time at which it should have been sent, by `performance.now()` */
  send(request: Sent, since?: number): Promise<Answer>;
  close(): Promise<void>;
}

const CONNECTIONS = 128;

export function createBenchClient({ url, key }: { url: string; key: string }): BenchClient {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    async send({ method = 'POST', path, body }, since = performance.now()) {
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const answer = await pool.request({ method, path: pathname + path, headers, ...sent });
      const text = await answer.body.text();
      const ms = performance.now() - since;
      const parsed: unknown = text === '' ? null : JSON.parse(text);
      return { status: answer.statusCode, mode: modeOf(parsed), body: parsed, ms };
    },
    close: () => pool.close(),
  };
}

function modeOf(body: unknown): string | null {
  const hasMode = typeof body === 'object' && body !== null && 'mode' in body && typeof body.mode === 'string';
  return hasMode ? (body.mode as string) : null;
}

/** Returns arrival times of independent people: the intervals are exponentially distributed. */
export function arrivals(part: string, perSecond: number, seconds: number): number[] {
  const random = randomOf(`arrivals ${part}`);
  const times: number[] = [];
  for (let at = 0; at < seconds * 1_000; at += (-Math.log(1 - random.next()) * 1_000) / perSecond) times.push(at);
  return times;
}

/** Returns evenly spaced times. */
export const evenly = (perSecond: number, seconds: number): number[] =>
  Array.from({ length: Math.floor(perSecond * seconds) }, (_, n) => (n * 1_000) / perSecond);

/** Sends each request at its time, regardless of earlier ones. */
export async function openLoop<T, R>(
  scheduled: readonly Scheduled<T>[],
  send: (request: T, since: number) => Promise<R>,
): Promise<R[]> {
  const start = performance.now();
  const pending: Promise<R>[] = [];
  for (const { at, request } of scheduled) {
    const wait = start + at - performance.now();
    if (wait > 0) await delay(wait);
    pending.push(send(request, start + at));
  }
  return Promise.all(pending);
}

/**
 * Sends one write until it has a final response, with the same bytes each time, as the API's document tells integrators
 * to.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import type { ClientLog, Outcome } from './clientLog.ts';

export interface Target {
  /** Base address of the content API. */
  url: string;
  key: string;
}

export interface Write {
  method: 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
}

export interface Answer<T> {
  status: number;
  body: T;
  /** True when the first attempt was answered with 2xx, so that no earlier attempt can have taken effect. */
  isClean: boolean;
}

export interface Sender {
  /** @throws {RefusedError} when a retry would not change the response */
  write<T>(target: Target, write: Write): Promise<Answer<T>>;
  /**
   * Sends a read (with a body: a POST that only reads) until it is answered; it is not counted. Returns null for 404.
   */
  read<T>(target: Target, path: string, body?: unknown): Promise<T | null>;
  close(): Promise<void>;
}

/** Error for a write that the API does not accept. The load sends none on purpose. */
export class RefusedError extends Error {
  override readonly name = 'Refused';
  readonly status: number | null;

  constructor(request: string, { status, text }: Pick<Attempt, 'status' | 'text'>) {
    super(`${request} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

/** Timeout that the document suggests for writes. */
const TIMEOUT_MS = 10_000;
/** Shorter than the document's 1, 5 and 30 s: this integrator is in a hurry, and the test wants to see the recovery. */
const PAUSES_MS = [300, 1_000, 2_000] as const;
const CONNECTIONS = 40;

interface Attempt {
  outcome: Outcome;
  status: number | null;
  text: string;
  retryAfter?: string;
}

export function createSender(log: ClientLog, signal: AbortSignal): Sender {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  let numbers = 0;

  const attempt = (target: Target, method: string, path: string, body?: string): Promise<Attempt> =>
    request(agent, signal, target, { method, path, body });

  async function write<T>(target: Target, { method, path, body }: Write): Promise<Answer<T>> {
    const n = (numbers += 1);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    for (let count = 1; ; count += 1) {
      const started = performance.now();
      const { outcome, status, text, retryAfter } = await attempt(target, method, path, sent);
      const ms = Math.round(performance.now() - started);
      log.record({
        n,
        try: count,
        request: `${method} ${path}`,
        outcome,
        status,
        ms,
        ...(count === 1 && body !== undefined && { body }),
        ...(outcome !== 'accepted' && { answer: text.slice(0, 500) }),
        ...(retryAfter !== undefined && { retryAfter }),
      });
      if (outcome === 'accepted') return { status: status ?? 0, body: JSON.parse(text) as T, isClean: count === 1 };
      if (outcome === 'refused') throw new RefusedError(`${method} ${path}`, { status, text });
      await delay(pauseAfter(count), undefined, { signal });
    }
  }

  return {
    write,
    async read<T>(target: Target, path: string, body?: unknown): Promise<T | null> {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = body === undefined ? undefined : JSON.stringify(body);
      for (let count = 1; ; count += 1) {
        const { outcome, status, text } = await attempt(target, method, path, sent);
        if (outcome === 'accepted') return JSON.parse(text) as T;
        if (status === 404) return null;
        if (outcome === 'refused') throw new RefusedError(`${method} ${path}`, { status, text });
        await delay(pauseAfter(count), undefined, { signal });
      }
    },
    close: () => agent.close(),
  };
}

async function request(
  agent: Agent,
  signal: AbortSignal,
  { url, key }: Target,
  { method, path, body }: { method: string; path: string; body: string | undefined },
): Promise<Attempt> {
  const { origin, pathname } = new URL(url + path);
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  try {
    const answer = await agent.request({
      origin,
      path: pathname + query,
      method: method as 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await answer.body.text();
    const retryAfter = answer.headers['retry-after'];
    return {
      outcome: outcomeOf(answer.statusCode),
      status: answer.statusCode,
      text,
      ...(typeof retryAfter === 'string' && { retryAfter }),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { outcome: 'unsure', status: null, text: String((error as Error).cause ?? error) };
  }
}

function outcomeOf(status: number): Outcome {
  if (status < 300) return 'accepted';
  return status === 429 || status >= 500 ? 'again' : 'refused';
}

function pauseAfter(tries: number): number {
  return PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? 2_000;
}

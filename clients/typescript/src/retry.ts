import { retryAfterOf } from './error.ts';

/** As the documents of the two APIs advise. Their requests are safe to retry: ids make duplicates harmless. */
export const RETRY_PAUSES_MS = [1000, 5000, 30_000];

/**
 * Statuses that are worth another try: too many requests, an internal error, maintenance, and a proxy's broken or
 * timed-out connection to the service. Other requests would fail again.
 */
const RETRIED = new Set([429, 500, 502, 503, 504]);
/**
 * The caller gets the error instead of a longer wait: a server may ask for a day, and a timer of more than 25 days
 * would fire at once.
 */
const MAX_WAIT_SECONDS = 300;

/**
 * Retries requests after a transient failure: 429, 500, 502, 503, 504, a broken connection. Waits as long as the
 * service asks, up to five minutes, else the next of the pauses. After the last one, and where the service asks for
 * more, the caller gets the outcome. An aborted request is not retried.
 * @param pausesMs milliseconds; with an empty list there is a single attempt
 */
export function retrying(fetch: typeof globalThis.fetch, pausesMs: readonly number[]): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    for (const pauseMs of pausesMs) {
      const outcome = await attempt(fetch, request.clone());
      if (request.signal.aborted || (outcome.response && !RETRIED.has(outcome.response.status))) return settle(outcome);
      const asked = outcome.response && retryAfterOf(outcome.response);
      if (asked && asked > MAX_WAIT_SECONDS) return settle(outcome);
      await outcome.response?.body?.cancel();
      await pause(asked ? asked * 1000 : pauseMs, request.signal);
    }
    return fetch(request);
  };
}

type Outcome = { response: Response } | { response: null; error: unknown };

async function attempt(fetch: typeof globalThis.fetch, request: Request): Promise<Outcome> {
  try {
    return { response: await fetch(request) };
  } catch (error) {
    return { response: null, error };
  }
}

function settle(outcome: Outcome): Response {
  if (outcome.response) return outcome.response;
  throw outcome.error;
}

/** Rejects with the signal's reason when it is aborted before the end. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

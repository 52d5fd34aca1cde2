/** Clients of Attune's APIs. Every method is one operation; its types are those of the running service. */
import { createClient as createAnalytics } from './analytics/client/index.ts';
import { AttuneAnalytics } from './analytics/sdk.gen.ts';
import { createClient as createCabinet } from './cabinet/client/index.ts';
import { AttuneCabinet } from './cabinet/sdk.gen.ts';
import { createClient as createContent } from './content/client/index.ts';
import { AttuneContent } from './content/sdk.gen.ts';
import { AttuneError } from './error.ts';
import { RETRY_PAUSES_MS, retrying } from './retry.ts';

export { AttuneError, type ErrorDetail } from './error.ts';
export type { AttuneAnalytics, AttuneCabinet, AttuneContent };
/** Types of the content API's requests and responses: `content.ItemDetail`. */
export type * as content from './content/types.gen.ts';
/** Types of the analytics API's requests and responses: `analytics.OrderIn`. */
export type * as analytics from './analytics/types.gen.ts';
/** Types of the cabinet's requests and responses: `cabinet.Project`. */
export type * as cabinet from './cabinet/types.gen.ts';

export interface ClientOptions {
  /** `https://attune.example.com/content/api/v1`, `https://attune.example.com/analytics/api/v1` or `https://attune.example.com/cabinet/api`. */
  baseUrl: string;
  /**
   * A project key `ck_…` for the content API, a site key `ak_…` for the analytics API, a personal token `at_…` for the
   * cabinet. Left out by the cabinet's own pages, whose session is a cookie.
   */
  key?: string;
  fetch?: typeof globalThis.fetch;
  /** Ends every request of this client, also those that have a signal of their own. */
  signal?: AbortSignal;
  /**
   * Pauses, in milliseconds, before a request is retried after a transient failure; with an empty list nothing is
   * retried.
   */
  retryPausesMs?: readonly number[];
}

/** @returns the content API; its methods reject with {@link AttuneError} for any response other than 2xx */
export function createContentClient(options: ClientOptions): AttuneContent {
  const client = createContent(configOf(options, RETRY_PAUSES_MS));
  client.interceptors.error.use(toError);
  return new AttuneContent({ client });
}

/** @returns the analytics API; its methods reject with {@link AttuneError} for any response other than 2xx */
export function createAnalyticsClient(options: ClientOptions): AttuneAnalytics {
  const client = createAnalytics(configOf(options, RETRY_PAUSES_MS));
  client.interceptors.error.use(toError);
  return new AttuneAnalytics({ client });
}

/**
 * Retries nothing unless `retryPausesMs` says so: a retry might create a second webhook or key.
 * @returns the cabinet; its methods reject with {@link AttuneError} for any response other than 2xx
 */
export function createCabinetClient(options: ClientOptions): AttuneCabinet {
  const client = createCabinet(configOf(options, []));
  client.interceptors.error.use(toError);
  return new AttuneCabinet({ client });
}

function configOf(
  { baseUrl, key, fetch = globalThis.fetch, signal, retryPausesMs }: ClientOptions,
  defaultPausesMs: readonly number[],
) {
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(key !== undefined && { auth: key }),
    fetch: endedBy(signal, retrying(fetch, retryPausesMs ?? defaultPausesMs)),
    throwOnError: true as const,
  };
}

/** Not as a default of the generated client, which the signal of a single call would replace. */
function endedBy(signal: AbortSignal | undefined, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (!signal) return fetch;
  return (input, init) => {
    const request = new Request(input, init);
    return fetch(new Request(request, { signal: either(request.signal, signal) }));
  };
}

/** @returns a signal that is aborted as soon as one of the two is */
function either(first: AbortSignal, second: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([first, second]);
  // Browsers before 2024 may lack it. The listeners stay after a call: its signal also ends the reading of its answer.
  const controller = new AbortController();
  for (const signal of [first, second]) {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal });
  }
  return controller.signal;
}

/** @param response undefined when there was no response at all */
function toError(error: unknown, response: Response | undefined): unknown {
  return response === undefined || error instanceof Error ? error : new AttuneError(response, error);
}

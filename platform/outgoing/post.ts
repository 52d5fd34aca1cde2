/**
 * Makes one POST request to a user's URL: a webhook attempt. It makes no retry, follows no redirect, and keeps nothing
 * from the response. The caller decides which statuses are a success and how long the request may take.
 */
import type { Dispatcher } from 'undici';
import type { GuardedAgent } from './connect.ts';
import { Deadline } from './deadline.ts';
import { OutgoingError } from './errors.ts';
import { checkWebhookUrl } from './url.ts';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Decides by the status alone whether the request has succeeded. */
  isSuccess(status: number): boolean;
  /** Limit for resolution, connection, TLS, headers and body together. */
  readonly deadlineMs: number;
  /** The response is read to its end only up to this size; then the connection is closed. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
  /** Opens a connection for this request only, so that it is sent exactly once. */
  readonly onNewConnection?: boolean;
}

export interface PostOutcome {
  readonly status: number;
  readonly durationMs: number;
}

const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Posts once and waits for a success. The response body is discarded while it is received; a body above the limit does
 * not turn a success into a failure, but one that does not end in time does.
 *
 * @throws {OutgoingError} `timeout`, `connection`, `tls`, `dns`, `forbidden_address`, `invalid_url`, or, for any status
 * other than success, `redirect` (3xx) or `http_status`; the last two carry the status
 * @throws the caller's own abort reason when its signal fires
 */
export async function postOnce(agent: GuardedAgent, request: PostRequest): Promise<PostOutcome> {
  const verdict = checkWebhookUrl(request.url, agent.rules);
  if (!verdict.ok) throw new OutgoingError(verdict.reason === 'too_long' ? 'invalid_url' : verdict.reason);
  const startedAt = performance.now();
  const deadline = new Deadline({ totalMs: request.deadlineMs }, request.signal);
  try {
    const status = await exchange(agent, verdict.url, request, deadline, startedAt);
    if (!request.isSuccess(status)) throw failureOf(status);
    return { status, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    deadline.end();
  }
}

async function exchange(
  agent: GuardedAgent,
  url: URL,
  request: PostRequest,
  deadline: Deadline,
  startedAt: number,
): Promise<number> {
  const response = await send(agent, url, request, deadline)
    .catch((error: unknown) => {
      if (!isStale(agent, error, deadline, startedAt)) throw error;
      return send(agent, url, request, deadline);
    })
    .catch((error: unknown) => Promise.reject(deadline.explain(error)));
  try {
    await discard(response.body, request.maxResponseBytes ?? MAX_RESPONSE_BYTES);
  } catch (error) {
    if (request.isSuccess(response.statusCode)) throw deadline.explain(error);
    // The status has already decided; an error of the body afterwards changes nothing.
  }
  return response.statusCode;
}

/**
 * Returns true when the server closed an idle connection at the moment we reused it: this is not the receiver's fault,
 * and the event would otherwise be delayed by a minute. Such a request is sent once more on a new connection. It may
 * have been received the first time; delivery is at least once and has an id.
 */
function isStale(agent: GuardedAgent, error: unknown, deadline: Deadline, startedAt: number): boolean {
  const openedAt = agent.openedAt(error);
  return openedAt !== undefined && openedAt < startedAt && !deadline.signal.aborted;
}

/** Sends the request. undici's own time limits are coarse (1 s) and per phase; the deadline replaces them. */
function send(
  agent: GuardedAgent,
  url: URL,
  request: PostRequest,
  deadline: Deadline,
): Promise<Dispatcher.ResponseData> {
  const work = (request.onNewConnection ? agent.unpooled : agent.dispatcher).request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...request.headers },
    body: request.body,
    signal: deadline.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return deadline.race(work);
}

/** Reads the body to its end so that the connection can be reused; leaving early closes it. Nothing is decoded. */
async function discard(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return;
  }
}

function failureOf(status: number): OutgoingError {
  return new OutgoingError(status >= 300 && status < 400 ? 'redirect' : 'http_status', { status });
}

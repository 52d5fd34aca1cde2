/** Makes one GET request to a user's URL, with its redirects, up to the headers of the response. */
import type { Dispatcher } from 'undici';
import type { GuardedAgent } from './connect.ts';
import type { Deadline } from './deadline.ts';
import { OutgoingError } from './errors.ts';
import { checkMediaUrl } from './url.ts';

export interface GetRequest {
  readonly url: string;
  /** Statuses of an acceptable response. */
  readonly accepts: ReadonlySet<number>;
  readonly maxRedirects?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects up to a limit, and judges each target by the same rules as the first. Content codings are declined
 * and never decoded.
 * @throws {OutgoingError} `redirect` (too many, or without a target), `http_status` (not an accepted one), and those of
 * the connection
 */
export async function follow(
  agent: GuardedAgent,
  request: GetRequest,
  deadline: Deadline,
): Promise<{ response: Dispatcher.ResponseData; url: URL }> {
  let url = vetUrl(agent, request.url);
  for (let hops = 0; ; hops += 1) {
    const response = await get(agent, url, request, deadline);
    deadline.touch();
    if (request.accepts.has(response.statusCode)) return { response, url };
    drop(response);
    if (!REDIRECTS.has(response.statusCode)) throw new OutgoingError('http_status', { status: response.statusCode });
    const location = header(response, 'location');
    if (hops >= (request.maxRedirects ?? MAX_REDIRECTS) || location === null || !URL.canParse(location, url.href)) {
      throw new OutgoingError('redirect', { status: response.statusCode });
    }
    url = vetUrl(agent, new URL(location, url.href).href);
  }
}

function vetUrl(agent: GuardedAgent, text: string): URL {
  const verdict = checkMediaUrl(text, agent.rules, { allowHttp: agent.allowHttp });
  if (verdict.ok) return verdict.url;
  throw new OutgoingError(verdict.reason === 'too_long' ? 'invalid_url' : verdict.reason);
}

async function get(
  agent: GuardedAgent,
  url: URL,
  request: GetRequest,
  deadline: Deadline,
): Promise<Dispatcher.ResponseData> {
  try {
    deadline.signal.throwIfAborted();
    const work = agent.dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: '*/*', ...request.headers, 'accept-encoding': 'identity' },
      signal: deadline.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return await deadline.race(work);
  } catch (error) {
    throw deadline.explain(error);
  }
}

/**
 * Converts only errors of the body: a full disk, which the consumer encounters, must not look like a broken connection.
 */
export async function* networkOnly(
  body: AsyncIterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* body;
  } catch (error) {
    throw deadline.explain(error);
  }
}

/** Closes the connection without reading the rest; errors of the stream no longer matter. */
export function drop(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => undefined).destroy();
}

export function header(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

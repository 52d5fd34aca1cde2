/** A user's medium from its address into a file, counted while it streams. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import type { GuardedAgent } from './connect.ts';
import { Deadline } from './deadline.ts';
import { OutgoingError } from './errors.ts';
import { checkMediaUrl } from './url.ts';

export interface DownloadRequest {
  readonly url: string;
  /** Written anew; removed again on any failure. */
  readonly path: string;
  readonly maxBytes: number;
  /** Longest silence, the wait for headers of each hop included. The connection's own limit is the agent's. */
  readonly idleTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
  /** Least bytes in each such stretch of time, so that a drip does not go on for the total time. */
  readonly minPace?: { readonly bytes: number; readonly ms: number };
  readonly maxRedirects?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called after every piece with the bytes written so far. */
  readonly onProgress?: (bytes: number) => void;
}

export interface Downloaded {
  readonly bytes: number;
  /** As the server claims it; the caller sniffs the real type. */
  readonly contentType: string | null;
  readonly finalUrl: string;
}

const IDLE_TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 15 * 60_000;
/** 64 KiB/s, half a megabit: below it a host holds a place for its own sake, not for its medium's. */
const MIN_PACE = { bytes: 1024 * 1024, ms: 16_000 };
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Streams the answer into a file. Redirects are followed up to a limit, each target judged by the
 * same rules as the first. Content codings are asked off and never undone: a compressed answer is
 * stored as it came, so it cannot grow past the limit.
 *
 * @throws {OutgoingError} `timeout` (silence, the total time, too slow a pace), `too_large` (by Content-Length at once, else while counting), `redirect`
 *   (too many, or without a target), `http_status` (anything but 200), and those of the connection.
 * @throws the caller's own abort reason; or the file system's error.
 */
export async function downloadTo(agent: GuardedAgent, request: DownloadRequest): Promise<Downloaded> {
  const limits = {
    totalMs: request.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
    idleMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  };
  const deadline = new Deadline(limits, request.signal);
  try {
    const { response, url } = await follow(agent, request, deadline);
    const bytes = await store(response, request, deadline);
    return { bytes, contentType: header(response, 'content-type'), finalUrl: url.href };
  } finally {
    deadline.end();
  }
}

async function follow(agent: GuardedAgent, request: DownloadRequest, deadline: Deadline) {
  let url = vetUrl(agent, request.url);
  for (let hops = 0; ; hops += 1) {
    const response = await get(agent, url, request, deadline);
    deadline.touch();
    if (response.statusCode === 200) return { response, url };
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
  request: DownloadRequest,
  deadline: Deadline,
): Promise<Dispatcher.ResponseData> {
  try {
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

async function store(response: Dispatcher.ResponseData, request: DownloadRequest, deadline: Deadline): Promise<number> {
  if (Number(header(response, 'content-length') ?? 0) > request.maxBytes) {
    drop(response);
    throw new OutgoingError('too_large');
  }
  let file: FileHandle | undefined;
  try {
    file = await open(request.path, 'w', 0o600);
    const bytes = await copy(response, file, request, deadline);
    await file.close();
    return bytes;
  } catch (error) {
    drop(response);
    await file?.close().catch(() => undefined);
    await rm(request.path, { force: true });
    throw error;
  }
}

async function copy(
  response: Dispatcher.ResponseData,
  file: FileHandle,
  request: DownloadRequest,
  deadline: Deadline,
): Promise<number> {
  let bytes = 0;
  const checkPace = paceCheck(request.minPace ?? MIN_PACE);
  for await (const chunk of networkOnly(response.body, deadline)) {
    deadline.touch();
    bytes += chunk.length;
    checkPace(bytes);
    if (bytes > request.maxBytes) throw new OutgoingError('too_large');
    await file.appendFile(chunk);
    request.onProgress?.(bytes);
  }
  return bytes;
}

/** Looked at when something comes: silence is the idle limit's matter. */
function paceCheck(minPace: { bytes: number; ms: number }): (bytes: number) => void {
  let since = performance.now();
  let bytesThen = 0;
  return (bytes) => {
    const now = performance.now();
    if (now - since < minPace.ms) return;
    if (bytes - bytesThen < minPace.bytes) throw new OutgoingError('timeout');
    since = now;
    bytesThen = bytes;
  };
}

/** Translates the body's faults only: a full disk, met by the consumer, must not look like a broken connection. */
async function* networkOnly(body: AsyncIterable<Uint8Array>, deadline: Deadline): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw deadline.explain(error);
  }
}

/** Closes the connection instead of reading what is not wanted; the stream's own complaint is moot. */
function drop(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => undefined).destroy();
}

function header(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

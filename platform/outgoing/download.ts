/** Downloads a user's medium from its URL into a file, counting its bytes. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import type { GuardedAgent } from './connect.ts';
import { Deadline } from './deadline.ts';
import { OutgoingError } from './errors.ts';
import { drop, follow, header, networkOnly } from './getWithRedirects.ts';

export interface DownloadRequest {
  readonly url: string;
  /** Created or overwritten; removed again on any failure. */
  readonly path: string;
  readonly maxBytes: number;
  /**
   * Maximum time without data, including the wait for the headers of each hop. The connection has its own limit in the
   * agent.
   */
  readonly idleTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
  /** Minimum number of bytes in each period of `ms`, so that a trickle cannot go on for the total time. */
  readonly minThroughput?: { readonly bytes: number; readonly ms: number };
  readonly maxRedirects?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called after every chunk with the number of bytes written so far. */
  readonly onProgress?: (bytes: number) => void;
}

export interface Downloaded {
  readonly bytes: number;
  /** As the server claims it; the caller detects the real type. */
  readonly contentType: string | null;
  readonly finalUrl: string;
}

const IDLE_TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 15 * 60_000;
/** 64 KiB/s, half a megabit: a slower host occupies a slot without delivering its medium. */
const MIN_THROUGHPUT = { bytes: 1024 * 1024, ms: 16_000 };
const WHOLE: ReadonlySet<number> = new Set([200]);

/**
 * Streams the response into a file. Redirects are followed up to a limit, and each target is judged by the same rules
 * as the first. Content codings are declined and never decoded: a compressed response is stored as is, so it cannot
 * grow past the limit.
 *
 * @throws {OutgoingError} `timeout` (no data, the total time, or too slow), `too_large` (at once by Content-Length,
 * otherwise while counting), `redirect` (too many, or without a target), `http_status` (anything but 200), and those of
 * the connection
 * @throws the caller's own abort reason, or the file system's error
 */
export async function downloadTo(agent: GuardedAgent, request: DownloadRequest): Promise<Downloaded> {
  const limits = {
    totalMs: request.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
    idleMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  };
  const deadline = new Deadline(limits, request.signal);
  try {
    const { response, url } = await follow(agent, { ...request, accepts: WHOLE }, deadline);
    const bytes = await store(response, request, deadline);
    return { bytes, contentType: header(response, 'content-type'), finalUrl: url.href };
  } finally {
    deadline.end();
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
  const checkThroughput = throughputCheck(request.minThroughput ?? MIN_THROUGHPUT);
  for await (const chunk of networkOnly(response.body, deadline)) {
    deadline.touch();
    bytes += chunk.length;
    checkThroughput(bytes);
    if (bytes > request.maxBytes) throw new OutgoingError('too_large');
    await file.appendFile(chunk);
    request.onProgress?.(bytes);
  }
  return bytes;
}

/** Returns a check to call with each chunk; the idle limit handles silence. */
function throughputCheck(minThroughput: { bytes: number; ms: number }): (bytes: number) => void {
  let since = performance.now();
  let bytesThen = 0;
  return (bytes) => {
    const now = performance.now();
    if (now - since < minThroughput.ms) return;
    if (bytes - bytesThen < minThroughput.bytes) throw new OutgoingError('timeout');
    since = now;
    bytesThen = bytes;
  };
}

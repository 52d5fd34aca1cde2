/** Streams a user's medium to a player, in the ranges that the player requests. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { GuardedAgent } from './connect.ts';
import { Deadline } from './deadline.ts';
import { OutgoingError } from './errors.ts';
import { drop, follow, header, networkOnly } from './getWithRedirects.ts';

export interface MediumRequest {
  readonly url: string;
  /**
   * Range header of the request; null for the whole medium. A request for several ranges gets the whole medium, which
   * HTTP allows.
   */
  readonly range: string | null;
  /** Fires when the reader is gone. */
  readonly signal: AbortSignal;
  readonly headersTimeoutMs?: number;
  /** Maximum time to wait for the next chunk after it is requested; the reader itself may pause longer. */
  readonly idleTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
}

export interface OpenedMedium {
  /** 416: the range is outside the medium. */
  status: number;
  /** The headers that a player needs, by lower-case name. */
  headers: Record<string, string>;
  body: Readable;
}

const ACCEPTED_STATUSES: ReadonlySet<number> = new Set([200, 206, 416]);
const FORWARDED_HEADERS = [
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'content-type',
] as const;
/** A response to several ranges is multipart, which no player reads. */
const SINGLE_RANGE = /^bytes=(?:\d+-\d*|-\d+)$/;
const HEADERS_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 3_600_000;

/**
 * Opens a medium and streams its bytes.
 * @throws {OutgoingError} as {@link follow}; `timeout` when the headers do not arrive in time. The body may fail with
 * such errors, too.
 */
export async function openMedium(agent: GuardedAgent, request: MediumRequest): Promise<OpenedMedium> {
  const deadline = new Deadline({ totalMs: request.totalTimeoutMs ?? TOTAL_TIMEOUT_MS }, request.signal);
  const { range } = request;
  const headers = range !== null && SINGLE_RANGE.test(range) ? { range } : {};
  try {
    const opening = follow(agent, { url: request.url, accepts: ACCEPTED_STATUSES, headers }, deadline);
    const { response } = await rejectOnTimeout(request.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, opening);
    deadline.signal.throwIfAborted();
    const body = bodyOf(response, deadline, request.idleTimeoutMs ?? IDLE_TIMEOUT_MS);
    return { status: response.statusCode, headers: headersOf(response), body };
  } catch (error) {
    deadline.cancel(error);
    throw error;
  }
}

/** Returns the body. The connection and the limits end with it, however it ends, even if it was never read. */
function bodyOf(response: Dispatcher.ResponseData, deadline: Deadline, idleMs: number): Readable {
  const pieces = networkOnly(response.body, deadline);
  const body = new Readable({
    read() {
      rejectOnTimeout(idleMs, pieces.next()).then(
        ({ done, value }) => body.push(done ? null : value),
        (error: Error) => body.destroy(error),
      );
    },
    destroy(error, done) {
      deadline.end();
      drop(response);
      done(error);
    },
  });
  deadline.signal.addEventListener('abort', () => body.destroy(deadline.signal.reason as Error));
  // Readers add their own listener; an error without a reader must not end the process.
  return body.on('error', () => undefined);
}

/** @throws {OutgoingError} `timeout` when the work takes longer */
async function rejectOnTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutgoingError('timeout')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(response: Dispatcher.ResponseData): Record<string, string> {
  return Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name): [string, string][] => {
      const value = header(response, name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** A body that is a file: written to disk as it arrives, never held in memory. */
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientDisconnectedError, isWaitingToContinue, refuseTooLarge } from './requestBody.ts';
import { invalidRequest, requestTimeout } from './errors.ts';

export interface UploadLimits {
  maxBytes: number;
  /**
   * Maximum time without a byte. A client may also continue for this time after the
   * response.
   */
  silenceMs: number;
}

export const UPLOAD_SILENCE_MS = 30_000;
/** For an upload of many gigabytes on a slow line; the silence limit usually ends a broken one much earlier. */
export const UPLOAD_TIMEOUT_MS = 6 * 3_600_000;

export interface Upload {
  /** One of the operation's content types, without parameters. */
  contentType: string;
  /**
   * Receives the file and returns its size once it is on disk. The caller must remove a partial file at `path`.
   * @throws {HttpError} 413 over the limit, 408 when no byte arrives for too long
   * @throws {ClientDisconnectedError}
   */
  saveTo(path: string): Promise<number>;
}

/** Requests that may take longer than others. */
const uploads = new WeakSet<IncomingMessage>();

export function isUpload(request: IncomingMessage): boolean {
  return uploads.has(request);
}

/**
 * Checks the headers of a file before any of it is requested.
 * @throws {HttpError} 413 when it is announced as too large, 400 for another type, charset or encoding
 */
export async function announceUpload(
  request: IncomingMessage,
  response: ServerResponse,
  types: readonly string[],
  limits: UploadLimits,
): Promise<Upload> {
  const isWaiting = isWaitingToContinue(request);
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) return refuseTooLarge(request, !isWaiting);
  const contentType = contentTypeOf(request);
  if (!types.includes(contentType)) throw invalidRequest([], { closeConnection: true });
  uploads.add(request);
  response.once('finish', () => destroyUnfinishedRequest(request, limits.silenceMs));
  return {
    contentType,
    async saveTo(path) {
      if (isWaiting) response.writeContinue();
      const file = await open(path, 'wx');
      try {
        const bytes = await receive(request, file, limits);
        // A file that is acknowledged with 202 must survive a power cut.
        await file.sync();
        return bytes;
      } finally {
        await file.close();
      }
    },
  };
}

/** Gives a client that continues to send after the response a moment to stop. */
function destroyUnfinishedRequest(request: IncomingMessage, afterMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), afterMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}

function contentTypeOf(request: IncomingMessage): string {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  return encoding === 'identity' && isUtf8 ? type : '';
}

async function receive(request: IncomingMessage, file: FileHandle, limits: UploadLimits): Promise<number> {
  // The connection must survive the end of the loop, since the response uses it.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let size = 0;
  for (;;) {
    const piece = await orTooSlow(pieces.next().catch(throwDisconnected), limits.silenceMs);
    if (piece === 'too slow') throw requestTimeout();
    if (piece.done) return size;
    size += piece.value.length;
    if (size > limits.maxBytes) return refuseTooLarge(request, true);
    await file.writeFile(piece.value);
  }
}

function throwDisconnected(cause: unknown): never {
  throw new ClientDisconnectedError('the client closed the connection', { cause });
}

async function orTooSlow<T>(promise: Promise<T>, ms: number): Promise<T | 'too slow'> {
  const late = Promise.withResolvers<'too slow'>();
  const timer = setTimeout(() => late.resolve('too slow'), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

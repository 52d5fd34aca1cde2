/**
 * Answers requests that Node rejects itself (not HTTP, too large a head, or too slow) with the usual error body and an
 * id, and closes their connections. Also refuses targets without a path. A body that is not JSON is refused in
 * requestBody.ts, a wrong parameter in parameters.ts.
 */
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../../platform/process/logger.ts';
import { invalidRequest, requestTimeout, type HttpError } from './errors.ts';
import { errorBody, RUSSIAN } from './errorMessages.ts';

/** Refuses targets without a path, such as `http://`, which Node passes on. @throws {HttpError} 400 */
export const refuseMalformedTargets: Middleware = (ctx, next) => {
  if (!hasPath(ctx)) throw invalidRequest();
  return next();
};

function hasPath(ctx: Context): boolean {
  try {
    // For a target without a path it is null, whatever its type says.
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

/** The only status sent here that errors.ts does not have. */
const TOO_LARGE_HEAD = 431;

export function answerMalformedRequests(server: Server, logger: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A socket that was reset, or that has a response in progress, cannot be written to.
    const isAnswering = 'bytesWritten' in socket && (socket as { _httpMessage?: unknown })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const answer = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeout() : invalidRequest();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE_HEAD : answer.status;
    logger.info({ requestId, status, code: error.code, route: 'malformed' }, 'request');
    socket.end(rawResponse(status, answer, requestId));
  });
}

function rawResponse(status: number, answer: HttpError, requestId: string): string {
  const body = JSON.stringify(errorBody(answer, RUSSIAN));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** The outermost layer: every request gets an id, a log line and a metric, and every error the same body. */
import { Stream } from 'node:stream';
import type { Context, Middleware, Next } from 'koa';
import { BlobStoreError } from '../../../platform/blobs/types.ts';
import { isDiskFull } from '../../../platform/disk/diskFaults.ts';
import type { Logger } from '../../../platform/process/logger.ts';
import { ClientDisconnectedError } from '../requestBody.ts';
import { isDatabaseUnavailable } from '../../../db/errors.ts';
import { HttpError, internal, unavailable } from '../errors.ts';
import { peerOf, type TrustedProxies } from '../limits/trustedProxies.ts';
import { requestIdOf } from '../requestId.ts';
import type { RequestMetrics } from '../requestMetrics.ts';
import { stateOf, type RequestState } from './requestState.ts';
import { errorBody, RUSSIAN } from '../errorMessages.ts';

export interface AnswerOptions {
  logger: Logger;
  metrics: RequestMetrics;
  trustedProxies: TrustedProxies;
  /** True once the server is stopping: a kept-alive connection would delay it. */
  isClosing(): boolean;
  /** Defaults to {@link ANSWER_SILENCE_MS}. */
  silenceMs?: number | undefined;
}

/** A response is in memory until it is read, so the connection is closed when nothing has been read for this long. */
const ANSWER_SILENCE_MS = 60_000;

export function answer({
  logger,
  metrics,
  trustedProxies,
  isClosing,
  silenceMs = ANSWER_SILENCE_MS,
}: AnswerOptions): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const state: RequestState = {
      requestId: requestIdOf(ctx.req.headers['x-request-id']),
      peer: peerOf(ctx.req, trustedProxies),
      route: null,
      projectId: null,
      siteId: null,
      logLevel: 'info',
      texts: RUSSIAN,
      admission: null,
    };
    Object.assign(ctx.state, state);
    ctx.set({ 'X-Request-ID': state.requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    const done = metrics.start();
    ctx.res.once('close', () => {
      const { route, projectId, siteId, logLevel } = stateOf(ctx);
      const seconds = (performance.now() - started) / 1000;
      const status = ctx.res.writableFinished ? ctx.status : CLIENT_GONE_STATUS;
      done({ method: ctx.method, route: route ?? 'unknown', status, seconds });
      logger[logLevel](
        {
          method: ctx.method,
          route: route ?? 'unknown',
          status,
          ms: Math.round(seconds * 1000),
          requestId: state.requestId,
          ...(projectId && { projectId }),
          ...(siteId && { siteId }),
        },
        'request',
      );
    });
    await run(ctx, next, logger);
    // Streams have their own time limits.
    if (!(ctx.body instanceof Stream)) ctx.res.setTimeout(silenceMs, () => ctx.res.destroy());
    if (isClosing() && !ctx.res.headersSent) ctx.set('Connection', 'close');
  };
}

/** As in nginx's logs: the client closed the connection before the response. */
const CLIENT_GONE_STATUS = 499;

/**
 * Returns a handler for errors while a response is written. A client that disconnected is already in the log line of
 * the request.
 */
export function logBrokenAnswers(logger: Logger): (error: Error & { code?: unknown }) => void {
  return (error) => {
    const isReaderGone = error.name === 'AbortError' || error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isReaderGone) logger.warn({ err: error }, 'could not write a response');
  };
}

async function run(ctx: Context, next: Next, logger: Logger): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (error instanceof ClientDisconnectedError) {
      ctx.respond = false;
      ctx.res.destroy();
      return;
    }
    writeError(ctx, toHttpError(error, stateOf(ctx).requestId, logger));
  }
}

/** Converts any error to a response; the log gets what the response does not show. */
export function toHttpError(error: unknown, requestId: string, logger: Logger): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof BlobStoreError) {
    logger.warn({ err: error, requestId }, 'the blob store is unavailable');
    return unavailable(error);
  }
  // This follows the check for BlobStoreError, whose cause may also be a connection error.
  if (isDatabaseUnavailable(error)) {
    logger.warn({ err: error, requestId }, 'PostgreSQL is unavailable');
    return unavailable(error);
  }
  if (isDiskFull(error)) {
    logger.error({ err: error, requestId }, 'no space left on the disk');
    return unavailable(error);
  }
  logger.error({ err: error, requestId }, 'unexpected error');
  return internal(error);
}

function writeError(ctx: Context, error: HttpError): void {
  const expectsContinue = ctx.req.headers.expect !== undefined && !ctx.req.complete;
  if (error.closeConnection || expectsContinue) ctx.set('Connection', 'close');
  if (error.retryAfter !== null) ctx.set('Retry-After', String(error.retryAfter));
  if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  ctx.status = error.status;
  ctx.body = errorBody(error, stateOf(ctx).texts);
}

/** The outermost layer: every request gets an id, a log line, a metric, and every error one body. */
import { Stream } from 'node:stream';
import type { Context, Middleware, Next } from 'koa';
import { BlobStoreError } from '../../blobs/types.ts';
import { isDiskFull } from '../../process/diskFull.ts';
import type { Logger } from '../../process/logger.ts';
import { ClientGone } from './body.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { HttpError, internal, unavailable } from './errors.ts';
import { peerOf, type TrustedProxies } from './peer.ts';
import { requestIdOf } from './requestId.ts';
import type { RequestMetrics } from './requestMetrics.ts';
import { stateOf, type RequestState } from './requestState.ts';
import { errorBody, RUSSIAN } from './texts.ts';

export interface AnswerOptions {
  logger: Logger;
  metrics: RequestMetrics;
  trustedProxies: TrustedProxies;
  /** True once the server stops: a kept connection would hold it up. */
  isClosing(): boolean;
  /** {@link ANSWER_SILENCE_MS} when it is left out. */
  silenceMs?: number | undefined;
}

/** An answer is in memory until it is read: from one of which nothing was taken for so long the connection is closed. */
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
    // What streams has a pace of its own.
    if (!(ctx.body instanceof Stream)) ctx.res.setTimeout(silenceMs, () => ctx.res.destroy());
    if (isClosing() && !ctx.res.headersSent) ctx.set('Connection', 'close');
  };
}

/** As nginx logs it: the client closed the connection before it had its answer. */
const CLIENT_GONE_STATUS = 499;

async function run(ctx: Context, next: Next, logger: Logger): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (error instanceof ClientGone) {
      ctx.respond = false;
      ctx.res.destroy();
      return;
    }
    writeError(ctx, toHttpError(error, ctx, logger));
  }
}

function toHttpError(error: unknown, ctx: Context, logger: Logger): HttpError {
  if (error instanceof HttpError) return error;
  const { requestId } = stateOf(ctx);
  if (error instanceof BlobStoreError) {
    logger.warn({ err: error, requestId }, 'the blob store is unavailable');
    return unavailable(error);
  }
  // After the blob store: what it failed of may be a connection, too.
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

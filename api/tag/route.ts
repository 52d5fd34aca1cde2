/** GET /tag.js and /tag-record.js: the bundles that sites load, built by tools/scripts/tag.ts. */
import type { Context, Middleware } from 'koa';
import type { Logger } from '../../platform/process/logger.ts';
import { forbidden, unavailable } from '../http/errors.ts';
import { stateOf } from '../http/handling/requestState.ts';
import { ENGLISH } from '../http/errorMessages.ts';
import type { Bundle, Bundles } from './bundles.ts';

/**
 * A site gets a new version within the hour, and uses the old one while the new one is fetched, or while we do not
 * answer.
 */
const CACHE_CONTROL = 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800';

export function serveTag(bundles: Bundles, logger: Logger, requireHttps: boolean): Middleware {
  return async (ctx, next) => {
    // HEAD, too, which content delivery networks and monitors use. Koa omits the body.
    const name = ctx.method === 'GET' || ctx.method === 'HEAD' ? bundles.nameOf(ctx.path) : null;
    if (name === null) return next();
    const state = stateOf(ctx);
    state.route = ctx.path;
    state.texts = ENGLISH;
    if (requireHttps && !state.peer.isHttps) throw forbidden();
    const bundle = await bundles.read(name);
    if (bundle === null) {
      logger.error(
        { file: bundles.fileOf(name), requestId: state.requestId },
        'the tag is not built: run npm run tag:build',
      );
      throw unavailable();
    }
    return send(ctx, bundle);
  };
}

function send(ctx: Context, { plain, gzip }: Bundle): void {
  const { etag, bytes } = ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? gzip : plain;
  ctx.set({
    'Cache-Control': CACHE_CONTROL,
    ETag: etag,
    Vary: 'Accept-Encoding',
    // Pages of other sites load it, including those that embed only resources that permit it (COEP).
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', 'text/javascript; charset=utf-8');
  if (bytes === gzip.bytes) ctx.set('Content-Encoding', 'gzip');
  ctx.body = bytes;
}

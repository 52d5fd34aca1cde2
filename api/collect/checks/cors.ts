/**
 * CORS headers. Pages of other origins may send hits and read the results, and read maps with a signed link
 * (api/maps/); only pages of the same origin can read any other response. The key in the body names the site, whose
 * list of hosts decides which origins may send; these headers only let the requesting page read the response. There are
 * no credentials.
 */
import type { Context } from 'koa';

const PREFLIGHT_SECONDS = 86_400;

/** Sets the headers; caches must not share responses between origins. */
export function allowOrigin(ctx: Context): void {
  const { origin } = ctx.req.headers;
  ctx.set('Vary', 'Origin');
  if (origin === undefined) return;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-ID');
}

/** Answers the preflight request that browsers send before JSON. Returns false for other requests. */
export function answerPreflight(ctx: Context): boolean {
  if (
    ctx.method !== 'OPTIONS' ||
    ctx.req.headers.origin === undefined ||
    ctx.req.headers['access-control-request-method'] === undefined
  )
    return false;
  ctx.set({
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type, X-Request-ID',
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  });
  ctx.status = 204;
  return true;
}

/**
 * Pages of other origins may send hits, and read what becomes of them: here alone, every other answer of
 * the server stays with its own origin. Which origins may send is the site's list of hosts, judged by the
 * key in the body; these headers only let the page that asked read the answer. There are no credentials.
 */
import type { Context } from 'koa';

const PREFLIGHT_SECONDS = 86_400;

/** Answers to other origins than the sender's must not be shared by caches. */
export function allowOrigin(ctx: Context): void {
  const { origin } = ctx.req.headers;
  ctx.set('Vary', 'Origin');
  if (origin === undefined) return;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-ID');
}

/** The question that browsers ask before they send JSON. False when the request is none. */
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

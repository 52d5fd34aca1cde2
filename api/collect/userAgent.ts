import type { Context } from 'koa';

/** Longer ones are no browser's. */
const MAX_LENGTH = 1_000;

/** Empty when the request names none. */
export function userAgentOf(ctx: Context): string {
  return (ctx.req.headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
}

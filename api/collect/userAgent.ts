import type { Context } from 'koa';
import { withoutEmails } from '../../domain/privacy/texts.ts';

/** Longer ones are no browser's. */
const MAX_LENGTH = 1_000;

/** Empty when the request names none. Crawlers name the e-mail address of their operator. */
export function userAgentOf(ctx: Context): string {
  return withoutEmails((ctx.req.headers['user-agent'] ?? '').slice(0, MAX_LENGTH));
}

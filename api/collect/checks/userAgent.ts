import type { Context } from 'koa';
import { withoutEmails } from '../../../domain/privacy/contactsInTexts.ts';

/** Browsers send none longer than this. */
const MAX_LENGTH = 1_000;

/**
 * Returns the user agent; empty when the request has none. Crawlers put the e-mail address of their operator into it,
 * which is removed before the limit could cut it.
 */
export function userAgentOf(ctx: Context): string {
  return withoutEmails(ctx.req.headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
}

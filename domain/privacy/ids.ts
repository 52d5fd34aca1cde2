/** Ids that sites choose themselves, and that reports show. */
import { createHmac } from 'node:crypto';
import { withoutEmails } from './texts.ts';

/**
 * The id as it is; one that holds an e-mail address becomes a keyed hash, which is the same each time and no other's, so
 * that what counts once by its id still does.
 * @param key of purpose `contact-hashes`
 */
export function withoutPersonalId(id: string, key: Buffer): string {
  if (withoutEmails(id) === id) return id;
  return `h_${createHmac('sha256', key).update(`id:${id}`).digest('base64url')}`;
}

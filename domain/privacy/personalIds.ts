/** Ids that sites choose themselves, and that reports show. */
import { createHmac } from 'node:crypto';
import { withoutEmails } from './contactsInTexts.ts';

/**
 * Returns the id unchanged; one that contains an e-mail address becomes a keyed hash, which is stable and unique, so
 * that counts of distinct ids stay correct.
 * @param key of purpose `contact-hashes`
 */
export function withoutPersonalId(id: string, key: Buffer): string {
  if (withoutEmails(id) === id) return id;
  return `h_${createHmac('sha256', key).update(`id:${id}`).digest('base64url')}`;
}

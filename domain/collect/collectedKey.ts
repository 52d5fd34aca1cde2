/** The key by which a repeated event of a visitor is recognised. */
import { hash } from 'node:crypto';

/**
 * Returns a UUID of version 8 (RFC 9562, section 5.8): 122 bits of SHA-256 over the visitor and the event's own id.
 * Trackers number their events as they like, so an id is only unique within its visitor; the site is stored beside the
 * key everywhere. No UUID contains a line break, so no two pairs make the same text.
 * @param visitorId a UUID in lower case
 */
export function collectedKey(visitorId: string, eventId: string): string {
  const hex = hash('sha256', `${visitorId}\n${eventId}`, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Signatures of a webhook request: the documented one and the Standard Webhooks one. */
import { createHmac } from 'node:crypto';

/** Returns `sha256=` and the lowercase hex HMAC-SHA256 of `timestamp.body`, keyed with the whole secret. */
export function coreSignature(secret: string, timestamp: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/**
 * Returns the Standard Webhooks signature (`v1,` and base64 over `id.timestamp.body`); its key is the base64 decoding
 * of the part after `whsec_`.
 */
export function standardSignature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

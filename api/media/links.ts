/** Signed links to stored frames: they need no key and end after an hour. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { LINK_LIFETIME_SECONDS } from '../../domain/lifetimes.ts';
import { deriveKey } from '../../domain/secretKeys.ts';

export { LINK_LIFETIME_SECONDS };

export interface MediaLinks {
  /** The absolute address of a blob. */
  urlFor(blobKey: string): string;
  /** The blob that a token opens; null when it is forged, damaged or over its time. */
  open(token: string): { blobKey: string; secondsLeft: number } | null;
}

/**
 * A token is `base64url(expiry:blob key).base64url(HMAC-SHA256)`.
 * @param now Unix time in milliseconds
 */
export function createMediaLinks(secretKey: Buffer, publicUrl: string, now: () => number = Date.now): MediaLinks {
  const key = deriveKey(secretKey, 'media-links');
  const sign = (payload: string): Buffer => createHmac('sha256', key).update(payload).digest();
  return {
    urlFor(blobKey) {
      const payload = Buffer.from(`${Math.floor(now() / 1000) + LINK_LIFETIME_SECONDS}:${blobKey}`).toString('base64url');
      return `${publicUrl}/media/${payload}.${sign(payload).toString('base64url')}`;
    },
    open(token) {
      const [payload = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(payload);
      if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [expiry = '', blobKey = ''] = Buffer.from(payload, 'base64url').toString().split(/:(.*)/s);
      const secondsLeft = Number(expiry) - Math.floor(now() / 1000);
      return secondsLeft > 0 ? { blobKey, secondsLeft } : null;
    },
  };
}

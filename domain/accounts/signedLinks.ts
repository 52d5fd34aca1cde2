/** Links that need no key: they contain their subject and expiry, protected by an HMAC. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns a token, `base64url(expiry:subject).base64url(HMAC-SHA256)`. @param expiresAt Unix time in seconds */
export function sealToken(key: Buffer, subject: string, expiresAt: number): string {
  const payload = Buffer.from(`${expiresAt}:${subject}`).toString('base64url');
  return `${payload}.${sign(key, payload).toString('base64url')}`;
}

/**
 * Returns the subject of a token; null when it is forged, damaged or expired.
 * @param now Unix time in seconds
 */
export function openToken(key: Buffer, token: string, now: number): { subject: string; secondsLeft: number } | null {
  const [payload = '', signature = '', ...rest] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(key, payload);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [expiry = '', subject = ''] = Buffer.from(payload, 'base64url').toString().split(/:(.*)/s);
  const secondsLeft = Number(expiry) - now;
  return secondsLeft > 0 ? { subject, secondsLeft } : null;
}

function sign(key: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}

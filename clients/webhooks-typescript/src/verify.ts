import { createHmac, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import { WebhookVerificationError } from './error.ts';
import type { WebhookEvent } from './event.ts';
import { headerOf, pairsOf, type Pairs, type WebhookHeaders } from './headers.ts';
import { parseEvent } from './parse.ts';

export interface VerifyOptions {
  /** The time to judge the request's age by; the machine's clock unless given. */
  now?: Date;
  /** How far the timestamp may be from now, either way; the documented 300 s unless given. */
  toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;

/**
 * Checks that a request comes from Attune and is unchanged and recent, and returns its event.
 *
 * The signature is checked before the age, so that only genuine requests are reported as old. Attune's documentation
 * limits the age. A timestamp ahead of our clock is limited in the same way; otherwise a sender's wrong clock would
 * produce a request that can be replayed for a long time.
 *
 * @param body the raw bytes as they arrived, before any parser
 * @param secret `whsec_…`, or several: the new and the previous one during a rotation, or those of several webhooks
 *   with one address
 * @throws {WebhookVerificationError} the request is not to be trusted; `reason` says why
 * @throws {TypeError} the caller's own fault: a body that is not bytes, a secret that is malformed
 */
export function verifyWebhook(
  body: Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  if (!types.isUint8Array(body))
    throw new TypeError('the body must be the raw bytes (Buffer or Uint8Array), not text and not parsed JSON');
  const secrets = requireSecrets(secret);
  const pairs = pairsOf(headers);
  const timestamp = requireHeader(pairs, 'x-core-timestamp');
  const signature = requireHeader(pairs, 'x-core-signature');
  const seconds = parseTimestamp(timestamp);
  if (!isSignedByAny(secrets, timestamp, body, signature))
    throw new WebhookVerificationError('bad_signature', 'x-core-signature does not match');
  checkAge(seconds, options);
  const event = parseEvent(body);
  requireSame(pairs, 'x-core-event', event.event);
  requireSame(pairs, 'x-core-delivery', event.delivery_id);
  return event;
}

/** A missing setting must not look like a forged request. */
function requireSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (
    !Array.isArray(secrets) ||
    secrets.length === 0 ||
    !secrets.every((each) => typeof each === 'string' && /^whsec_[\x21-\x7e]+$/.test(each))
  ) {
    throw new TypeError('the secret must be the whole text that begins with whsec_, without spaces or line ends');
  }
  return secrets;
}

function requireHeader(pairs: Pairs, name: string): string {
  const value = headerOf(pairs, name);
  if (value === undefined || value === '') throw new WebhookVerificationError('missing_header', `${name} is missing`);
  return value;
}

/** Up to 12 digits: as seconds that is the year 33,658, and still exact as a number. */
function parseTimestamp(text: string): number {
  if (!/^[0-9]{1,12}$/.test(text))
    throw new WebhookVerificationError('bad_timestamp', 'x-core-timestamp is not a number of seconds');
  return Number(text);
}

/** All secrets are tried, each in constant time, so that the duration reveals nothing. */
function isSignedByAny(secrets: readonly string[], timestamp: string, body: Uint8Array, signature: string): boolean {
  const given = Buffer.from(signature, 'utf8');
  const matches = secrets.filter((secret) => {
    const hex = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    const expected = Buffer.from(`sha256=${hex}`, 'utf8');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matches.length > 0;
}

/** In whole seconds, as the timestamp is. */
function checkAge(seconds: number, { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions): void {
  const age = Math.floor(now.getTime() / 1000) - seconds;
  if (!Number.isFinite(age)) throw new TypeError('now must be a valid date');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new TypeError('toleranceSeconds must be a number of seconds that is not negative');
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('timestamp_too_old', 'the request was signed too long ago');
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError('timestamp_in_future', 'the request was signed in the future');
}

/** These headers are not signed, so they are compared with the body, which is. */
function requireSame(pairs: Pairs, name: string, signed: string): void {
  const value = headerOf(pairs, name);
  if (value !== undefined && value !== signed)
    throw new WebhookVerificationError('header_mismatch', `${name} differs from the body`);
}

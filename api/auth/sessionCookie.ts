/** The session cookie of the cabinet: 256 random bits, of which only the hash is stored. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_SECONDS } from '../../db/accounts/sessions.ts';
import { cookieOf } from './cookies.ts';

const SECRET_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * Over https the name's prefix prevents an attacker who controls a neighbouring host over plain http from planting a
 * session (RFC 6265bis, 4.1.3.1). `__Host-` would require Path=/.
 */
const nameOf = (isHttps: boolean): string => (isHttps ? '__Secure-attune_session' : 'attune_session');

export const SESSION_COOKIE = nameOf(true);

/** Creates a session: its Set-Cookie header, and the hash under which it is stored. */
export function newSession(isHttps: boolean): { cookie: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { cookie: setCookie(secret, SESSION_SECONDS, isHttps), hash: hashOf(secret) };
}

/** Returns the Set-Cookie header that removes the session from the browser. */
export function endedCookie(isHttps: boolean): string {
  return setCookie('', 0, isHttps);
}

/** Returns the hash of the request's session; null without one. */
export function sessionHash(headers: IncomingHttpHeaders, isHttps: boolean): Buffer | null {
  const secret = cookieOf(headers, nameOf(isHttps)) ?? '';
  return FORM.test(secret) ? hashOf(secret) : null;
}

function setCookie(secret: string, seconds: number, isHttps: boolean): string {
  const attributes = [
    'Path=/cabinet',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps ? ['Secure'] : []),
  ];
  return [`${nameOf(isHttps)}=${secret}`, ...attributes].join('; ');
}

/** Returns a fast hash: the secret is random, so a slow one would add nothing. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

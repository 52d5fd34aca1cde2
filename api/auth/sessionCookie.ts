/** The cookie that carries a session of the cabinet: 256 random bits, of which only the hash is stored. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_SECONDS } from '../../db/sessions.ts';
import { cookieOf } from './cookies.ts';

const SECRET_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * Over https the name's prefix keeps whoever can answer for a neighbouring name over plain http from
 * planting a session of his own (RFC 6265bis, 4.1.3.1). `__Host-` would ask for Path=/.
 */
const nameOf = (isHttps: boolean): string => (isHttps ? '__Secure-attune_session' : 'attune_session');

export const SESSION_COOKIE = nameOf(true);

/** A new session: what its cookie says, and the hash under which it is stored. */
export function newSession(isHttps: boolean): { cookie: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { cookie: setCookie(secret, SESSION_SECONDS, isHttps), hash: hashOf(secret) };
}

/** Makes the browser forget its session. */
export function endedCookie(isHttps: boolean): string {
  return setCookie('', 0, isHttps);
}

/** The hash of the session that a request carries; null without one. */
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

/** The secret is pure chance, so a slow hash would add nothing. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

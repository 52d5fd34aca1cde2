/**
 * The cookie of a device on which a user has logged in before (OWASP, "Slow down online guessing attacks with device
 * cookies"). Attempts with it are counted separately from those of strangers, so that a stranger who uses up the
 * attempts of an account does not lock its user out. It grants no access, and no part of it is stored.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { cookieOf } from './cookies.ts';

const SECONDS = 365 * 86_400;
const ID_BYTES = 16;

const nameOf = (isHttps: boolean): string => (isHttps ? '__Secure-attune_device' : 'attune_device');

export interface DeviceCookies {
  /** Returns the id of the device if this account has logged in on it before; otherwise null. */
  deviceOf(headers: IncomingHttpHeaders, email: string, isHttps: boolean): string | null;
  /** Returns the Set-Cookie header of a new device of the account. */
  newDevice(email: string, isHttps: boolean): string;
}

/** @param key the derived key `device-cookies` */
export function createDeviceCookies(key: Buffer): DeviceCookies {
  const macOf = (id: string, email: string): string =>
    createHmac('sha256', key).update(`${id}/${email}`).digest('base64url');
  return {
    deviceOf(headers, email, isHttps) {
      const [, id = '', mac = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookieOf(headers, nameOf(isHttps)) ?? '') ?? [];
      return id !== '' && timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(id, email))) ? id : null;
    },
    newDevice(email, isHttps) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const attributes = ['Path=/cabinet', `Max-Age=${SECONDS}`, 'HttpOnly', 'SameSite=Strict'];
      return [`${nameOf(isHttps)}=${id}.${macOf(id, email)}`, ...attributes, ...(isHttps ? ['Secure'] : [])].join('; ');
    },
  };
}

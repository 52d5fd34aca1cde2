/** Users who log in with a second factor. */
import type pg from 'pg';
import { totpCode, totpStep } from '../../../domain/accounts/totp.ts';
import { createTestUser, openBrowser, PASSWORD, type Browser, type Person } from './people.ts';
import type { TestApi } from './testApi.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** An authenticator that returns each code once, because the server accepts none twice. */
export interface Authenticator {
  /**
   * Returns the code of this time step, or of the next one when this one's was used. The server accepts it for at
   * least 30 seconds, so a step may end meanwhile. A third code within one step would be too early.
   * @param at epoch milliseconds
   */
  code(at?: number): string;
}

export function openAuthenticator(secret: Buffer): Authenticator {
  let last = 0;
  return {
    code(at = Date.now()) {
      last = Math.max(last + 1, totpStep(at));
      return totpCode(secret, last);
    },
  };
}

export interface Enrolled {
  user: Person;
  browser: Browser;
  secret: Buffer;
  authenticator: Authenticator;
  /** The code that enabled the second factor. */
  code: string;
  recoveryCodes: string[];
}

/** Creates a user who has enabled the second factor. */
export async function enrol(api: TestApi, pool: pg.Pool): Promise<Enrolled> {
  const user = await createTestUser(pool, 'viewer');
  const browser = await openBrowser(api, user);
  const begun = await browser.call('POST', '/me/totp', { password: PASSWORD });
  const { secret: shown, uri } = begun.body;
  if (!String(uri).includes(`secret=${shown}`)) throw new Error('the address of the second factor lacks its secret');
  const secret = bytesOf(shown);
  const authenticator = openAuthenticator(secret);
  const code = authenticator.code();
  const confirmed = await browser.call('POST', '/me/totp/confirm', { code });
  if (confirmed.status !== 200) throw new Error(`the second factor was not switched on: ${confirmed.status}`);
  return { user, browser, secret, authenticator, code, recoveryCodes: confirmed.body.recovery_codes };
}

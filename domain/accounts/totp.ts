/**
 * Time-based one-time codes (RFC 6238: SHA-1, steps of 30 s, six digits), the only form that every authenticator
 * supports, and the recovery codes that replace them.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 6238, 5.2: one step either way, for clocks that differ and codes that are typed slowly. */
const STEPS_AROUND = [0, -1, 1] as const;
/** 160 bits, as long as the hash (RFC 4226, 4). */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits each, so a fast hash is enough. */
const RECOVERY_BYTES = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Returns the code of a time step. @param digits RFC 6238's own examples have eight */
export function totpCode(secret: Buffer, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const truncated = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** Returns the time step. @param at epoch milliseconds */
export function totpStep(at: number): number {
  return Math.floor(at / 1000 / STEP_SECONDS);
}

/**
 * Returns the time step of a code, so that the caller can make sure that no code is used twice.
 * @param at epoch milliseconds
 * @returns null when no step near that time has this code
 */
export function findTotpStep(secret: Buffer, code: string, at: number): number | null {
  const given = Buffer.from(code);
  const steps = STEPS_AROUND.map((distance) => totpStep(at) + distance);
  return steps.find((step) => isEqual(Buffer.from(totpCode(secret, step)), given)) ?? null;
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Returns the URI that an authenticator reads, usually as a QR code (Google's Key URI format). */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

/** Encodes by RFC 4648, without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Returns new recovery codes, in the form in which they are shown once: ABCD-EFGH-IJKL-MNOP. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replaceAll(/.{4}(?=.)/g, '$&-'),
  );
}

/** Returns the stored hash of a recovery code, however the code is typed. */
export function recoveryCodeHash(code: string): Buffer {
  return createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))
    .digest();
}

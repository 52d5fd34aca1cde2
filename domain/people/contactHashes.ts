/** E-mail addresses and phone numbers, of which only keyed hashes are stored: for matching, never for display. */
import { createHmac } from 'node:crypto';

export interface ContactHashes {
  email_hash?: string;
  phone_hash?: string;
}

/**
 * Hashes contacts.
 * @param key of purpose `contact-hashes` (domain/accounts/secretKeys.ts); unkeyed hashes could be reversed by hashing
 *   every phone number
 * @returns base64url of HMAC-SHA-256 over the normalised input
 */
export function contactHashes(key: Buffer, given: { email?: string | null; phone?: string | null }): ContactHashes {
  const email = given.email?.trim().toLowerCase().normalize('NFC');
  const phone = given.phone === undefined || given.phone === null ? undefined : normalPhone(given.phone);
  return {
    ...(email && { email_hash: hash(key, `email:${email}`) }),
    ...(phone && { phone_hash: hash(key, `phone:${phone}`) }),
  };
}

/** A number with fewer digits is an extension or a word, and must not match two people. */
const MIN_PHONE_DIGITS = 7;

/**
 * Returns the digits only, empty when they are too few; the Russian trunk prefix 8 of an 11-digit number becomes the
 * country code 7.
 */
function normalPhone(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < MIN_PHONE_DIGITS) return '';
  return /^8\d{10}$/.test(digits) && !text.trim().startsWith('+') ? `7${digits.slice(1)}` : digits;
}

function hash(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** E-mail addresses and phone numbers, of which only keyed hashes are kept: for matching, never for showing. */
import { createHmac } from 'node:crypto';

export interface ContactHashes {
  email_hash?: string;
  phone_hash?: string;
}

/**
 * @param key of purpose `contact-hashes` (domain/secretKeys.ts): without it a list of all phone numbers would find them
 * @returns base64url of HMAC-SHA-256 over the normal form of what is given
 */
export function contactHashes(key: Buffer, given: { email?: string | null; phone?: string | null }): ContactHashes {
  const email = given.email?.trim().toLowerCase().normalize('NFC');
  const phone = given.phone === undefined || given.phone === null ? undefined : normalPhone(given.phone);
  return {
    ...(email && { email_hash: hash(key, `email:${email}`) }),
    ...(phone && { phone_hash: hash(key, `phone:${phone}`) }),
  };
}

/** With fewer digits it is an extension or a word, and no two people must meet in it. */
const MIN_PHONE_DIGITS = 7;

/** Digits alone, empty when they are too few; the Russian trunk prefix 8 of an 11-digit number is the country code 7. */
function normalPhone(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < MIN_PHONE_DIGITS) return '';
  return /^8\d{10}$/.test(digits) && !text.trim().startsWith('+') ? `7${digits.slice(1)}` : digits;
}

function hash(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Keys and secrets: their formats, and the hash that is stored instead of them. */
import { createHash } from 'node:crypto';
import { randomText } from './randomText.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Kind of a key → its prefix and the number of random characters after it. */
export const KEY_FORMATS = {
  project: { prefix: 'ck_', length: 40 },
  site: { prefix: 'ak_', length: 40 },
  tag: { prefix: 'as_', length: 24 },
  cabinet: { prefix: 'at_', length: 40 },
  invitation: { prefix: 'ai_', length: 40 },
  signInLink: { prefix: 'al_', length: 40 },
  webhook: { prefix: 'whsec_', length: 40 },
} as const;

export type KeyKind = keyof typeof KEY_FORMATS;

/** Returns a new key of the kind, from the system's random source. */
export function newKey(kind: KeyKind): string {
  const { prefix, length } = KEY_FORMATS[kind];
  return prefix + randomText(ALPHABET, length);
}

/** Returns a temporary password with 142 random bits. */
export function newPassword(): string {
  return randomText(ALPHABET, 24);
}

/** Returns true when a text has the form of a key of that kind, whether or not the key exists. */
export function hasKeyFormat(kind: KeyKind, text: string): boolean {
  const { prefix, length } = KEY_FORMATS[kind];
  return (
    text.length === prefix.length + length &&
    text.startsWith(prefix) &&
    /^[A-Za-z0-9]+$/.test(text.slice(prefix.length))
  );
}

/**
 * Returns the SHA-256 of a key. Keys have at least 142 random bits, so a slow hash would add nothing. Looking keys up
 * by this hash makes the comparison independent of the secret's bytes.
 */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns a new key of a site, and its stored form. A tag key is public, so it is also stored as it is. */
export function newSiteKey(kind: 'api' | 'tag', name: string) {
  const key = newKey(kind === 'api' ? 'site' : 'tag');
  return { key, stored: { kind, name, publicKey: kind === 'tag' ? key : null, ...storedKey(key) } };
}

/** Returns the stored form of a key: the prefix by which people recognise it, and the hash by which it is looked up. */
export function storedKey(key: string): { prefix: string; hash: Buffer } {
  return { prefix: keyPrefix(key), hash: keyHash(key) };
}

/** Returns the first 8 characters, by which people tell their keys apart. */
function keyPrefix(key: string): string {
  return key.slice(0, 8);
}

/** Keys and secrets: their formats, and the hash that is stored in their place. */
import { createHash, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Kind of a key → its prefix and the number of random characters behind it. */
export const KEY_FORMATS = {
  project: { prefix: 'ck_', length: 40 },
  site: { prefix: 'ak_', length: 40 },
  tag: { prefix: 'as_', length: 24 },
  cabinet: { prefix: 'at_', length: 40 },
  invitation: { prefix: 'ai_', length: 40 },
  webhook: { prefix: 'whsec_', length: 40 },
} as const;

export type KeyKind = keyof typeof KEY_FORMATS;

/** A new key of the kind, from the system's random source. */
export function newKey(kind: KeyKind): string {
  const { prefix, length } = KEY_FORMATS[kind];
  return prefix + randomText(ALPHABET, length);
}

/** A password for somebody to change: 142 bits of chance. */
export function newPassword(): string {
  return randomText(ALPHABET, 24);
}

/** A new project or site id: 12 characters of a-z0-9. */
export function newTenantId(): string {
  return randomText(ID_ALPHABET, 12);
}

export function isTenantId(text: string): boolean {
  return /^[a-z0-9]{12}$/.test(text);
}

/** Whether a text has the form of a key of that kind; says nothing about its being known. */
export function hasKeyFormat(kind: KeyKind, text: string): boolean {
  const { prefix, length } = KEY_FORMATS[kind];
  return (
    text.length === prefix.length + length &&
    text.startsWith(prefix) &&
    /^[A-Za-z0-9]+$/.test(text.slice(prefix.length))
  );
}

/**
 * SHA-256 of a key; keys carry 142 bits or more of chance, so a slow hash would add nothing.
 * Look-up by this hash is what makes the comparison independent of the secret's bytes.
 */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new key of a site, and what is stored of it: a tag key is public. */
export function newSiteKey(kind: 'api' | 'tag', name: string) {
  const key = newKey(kind === 'api' ? 'site' : 'tag');
  return { key, stored: { kind, name, publicKey: kind === 'tag' ? key : null, ...storedKey(key) } };
}

/** What is stored of a key: how people know it, and how it is found. */
export function storedKey(key: string): { prefix: string; hash: Buffer } {
  return { prefix: keyPrefix(key), hash: keyHash(key) };
}

/** The first 8 characters, by which people tell their keys apart. */
function keyPrefix(key: string): string {
  return key.slice(0, 8);
}

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

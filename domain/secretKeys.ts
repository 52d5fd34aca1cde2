/**
 * What is derived from the installation's one SECRET_KEY, by HKDF (RFC 5869) with a label each, and
 * the encryption at rest of secrets that must be readable again (webhook signing secrets).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

/** Label of a derived key; a new use gets a new label. */
export type SecretPurpose = 'webhook-secrets' | 'media-links' | 'contact-hashes' | 'export-links' | 'deletion-ledger';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A 32-byte key for one purpose. */
export function deriveKey(secretKey: Buffer, purpose: SecretPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `attune/${purpose}`, 32));
}

/** AES-256-GCM: nonce, tag and ciphertext in one buffer. */
export function encryptSecret(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws {Error} when the key is another one or the stored bytes were changed. */
export function decryptSecret(key: Buffer | KeyObject, stored: Buffer): string {
  const nonce = stored.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

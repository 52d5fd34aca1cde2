/**
 * Keys derived from the installation's one SECRET_KEY, by HKDF (RFC 5869) with a separate label for each, and the
 * encryption at rest of secrets that must be readable again (signing secrets of webhooks, those of one-time codes).
 * keyFormats.ts says what secrets look like.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/** Label of a derived key; a new use gets a new label. */
export type SecretPurpose =
  | 'webhook-secrets'
  | 'webhook-secret-nonces'
  | 'media-links'
  | 'original-links'
  | 'contact-hashes'
  | 'export-links'
  | 'map-links'
  | 'deletion-ledger'
  | 'totp-secrets'
  | 'device-cookies'
  | 'output-cursors'
  | 'identity-secrets';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns a 32-byte key for one purpose. */
export function deriveKey(secretKey: Buffer, purpose: SecretPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `attune/${purpose}`, 32));
}

/**
 * First byte of a secret that GCM's additional data binds to its context. Webhooks' signing secrets have no such byte:
 * they begin with their nonce.
 */
const BOUND = 1;

/**
 * Encrypts with AES-256-GCM. Returns a byte for the format, the nonce, the tag and the ciphertext in one buffer.
 * @param context what the secret belongs to, such as {@link totpSecretContext}. The secret can only be decrypted for
 *   this context, so an attacker who can write to the database cannot make a row use another row's secret
 */
export function encryptSecret(key: Buffer | KeyObject, text: string, context: string): Buffer {
  return Buffer.concat([Buffer.of(BOUND), seal(key, randomBytes(NONCE_BYTES), text, context)]);
}

/** Decrypts a secret. @throws {Error} when the key or the context differs, or the stored bytes were changed. */
export function decryptSecret(key: Buffer | KeyObject, stored: Buffer, context: string): string {
  if (stored[0] !== BOUND) throw new Error('the secret is not bound to a context');
  return open(key, stored.subarray(1), context);
}

/** The two keys of webhooks' signing secrets: one encrypts, the other derives the nonces. */
export interface SigningSecretKeys {
  encryption: KeyObject;
  nonces: KeyObject;
}

/**
 * Returns the keys as objects: making them for each attempt of a delivery would make decryption four times as
 * expensive.
 */
export function signingSecretKeys(secretKey: Buffer): SigningSecretKeys {
  return {
    encryption: createSecretKey(deriveKey(secretKey, 'webhook-secrets')),
    nonces: createSecretKey(deriveKey(secretKey, 'webhook-secret-nonces')),
  };
}

/**
 * Encrypts like {@link encryptSecret}, in the form that the previous release can decrypt: nonce, tag and ciphertext,
 * without additional data. The nonce binds the text to its context instead: one half shows that the text is bound, the
 * other half to which context. Only the holder of the keys can make such a nonce, and GCM decrypts with no other one. A
 * nonce is as unique as the pair of text and context.
 */
export function encryptSigningSecret({ encryption, nonces }: SigningSecretKeys, text: string, context: string): Buffer {
  return seal(encryption, Buffer.concat([markOf(nonces, text, null), markOf(nonces, text, context)]), text, null);
}

export interface OpenedSecret {
  text: string;
  /** True when it was stored before secrets were bound to a context, and has to be encrypted again. */
  isUnbound: boolean;
}

/** Decrypts a signing secret. @throws {Error} when the keys or the context differ, or the stored bytes were changed. */
export function decryptSigningSecret(
  { encryption, nonces }: SigningSecretKeys,
  stored: Buffer,
  context: string,
): OpenedSecret {
  if (stored[0] === BOUND) {
    try {
      return { text: decryptSecret(encryption, stored, context), isUnbound: false };
    } catch {
      // One nonce in 256 also begins with this byte.
    }
  }
  const text = open(encryption, stored, null);
  return { text, isUnbound: !isMarked(nonces, stored, text, context) };
}

/** Returns true when the nonce is marked. @throws {Error} when it is marked for another context */
function isMarked(key: KeyObject, stored: Buffer, text: string, context: string): boolean {
  if (!stored.subarray(0, NONCE_BYTES / 2).equals(markOf(key, text, null))) return false;
  if (stored.subarray(NONCE_BYTES / 2, NONCE_BYTES).equals(markOf(key, text, context))) return true;
  throw new Error('the secret belongs to another context');
}

/** Returns half of a nonce, derived from the text only or from text and context. */
function markOf(key: KeyObject, text: string, context: string | null): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(['attune/bound', context, text]))
    .digest()
    .subarray(0, NONCE_BYTES / 2);
}

/** Returns nonce, tag and ciphertext. @param context additional data, if any */
function seal(key: Buffer | KeyObject, nonce: Buffer, text: string, context: string | null): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  if (context !== null) cipher.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function open(key: Buffer | KeyObject, stored: Buffer, context: string | null): string {
  const nonce = stored.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  if (context !== null) decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/** Returns the context of a webhook's signing secret. */
export function webhookSecretContext(projectId: string, webhookId: string): string {
  return `webhook/${projectId}/${webhookId}`;
}

/** Returns the context of the secret of a user's one-time codes. */
export function totpSecretContext(userId: string): string {
  return `totp/${userId}`;
}

/** Returns the context of the secret with which a site proves its users. */
export function identitySecretContext(siteId: string): string {
  return `site-identity/${siteId}`;
}

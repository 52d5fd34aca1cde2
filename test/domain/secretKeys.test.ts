import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decryptSecret,
  deriveKey,
  encryptSecret,
  encryptSigningSecret,
  totpSecretPlace,
  webhookSecretPlace,
} from '../../domain/secretKeys.ts';

/** Node's own words for a wrong tag, a short tag and a short nonce. */
const REFUSED =
  /unable to authenticate data|Invalid authentication tag length|Invalid initialization vector|another place/;
const key = deriveKey(Buffer.alloc(32, 7), 'webhook-secrets');

describe('derived keys', () => {
  it('are HKDF-SHA256 with the purpose as their label', () => {
    expect(key.equals(Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 7), '', 'attune/webhook-secrets', 32)))).toBe(
      true,
    );
  });

  it('differ by purpose and by secret', () => {
    const keys = [
      key,
      deriveKey(Buffer.alloc(32, 7), 'media-links'),
      deriveKey(Buffer.alloc(32, 8), 'webhook-secrets'),
    ];
    expect(new Set(keys.map((each) => each.toString('hex'))).size).toBe(3);
    expect(keys.every((each) => each.length === 32)).toBe(true);
  });
});

const PLACE = webhookSecretPlace('a1b2c3d4e5f6', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11');

/** As secrets were stored before they were bound to a place. */
function encryptUnbound(text: string, firstByte?: number): Buffer {
  const nonce = randomBytes(12);
  if (firstByte !== undefined) nonce[0] = firstByte;
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** As the previous release opens signing secrets. */
function openAsBefore(stored: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(stored.subarray(12, 28));
  return decipher.update(stored.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

it('encryptSecret never gives the same twice', () => {
  expect(encryptSecret(key, 'a', PLACE).equals(encryptSecret(key, 'a', PLACE))).toBe(false);
});

describe('signing secrets', () => {
  it('open for the previous release too', () => {
    expect(openAsBefore(encryptSigningSecret(key, 'whsec_abc', PLACE))).toBe('whsec_abc');
  });

  it('share no nonce between texts or places', () => {
    const stored = ['a', 'b'].flatMap((text) =>
      [PLACE, 'other'].map((place) => encryptSigningSecret(key, text, place)),
    );
    expect(new Set(stored.map((each) => each.subarray(0, 12).toString('hex'))).size).toBe(4);
  });
});

describe.each([
  ['secrets at rest', encryptSecret],
  ['signing secrets at rest', encryptSigningSecret],
])('%s', (_name, encrypt) => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(decryptSecret(key, encrypt(key, text, PLACE), PLACE)).toEqual({ text, isUnbound: false });
      }),
    );
  });

  it('are refused when any one byte was changed or the end is missing', () => {
    const stored = encrypt(key, 'whsec_abc', PLACE);
    for (let index = 0; index < stored.length; index += 1) {
      const changed = Buffer.from(stored);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decryptSecret(key, changed, PLACE)).toThrow(REFUSED);
    }
    for (let length = 0; length < stored.length; length += 1)
      expect(() => decryptSecret(key, stored.subarray(0, length), PLACE)).toThrow(REFUSED);
  });

  it('are refused under another key', () => {
    expect(() => decryptSecret(randomBytes(32), encrypt(key, 'a', PLACE), PLACE)).toThrow(REFUSED);
  });

  it.each([
    ['another webhook of the project', webhookSecretPlace('a1b2c3d4e5f6', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c12')],
    ['a webhook of another project', webhookSecretPlace('zzzzzzzzzzzz', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')],
    ['a user', totpSecretPlace('019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')],
  ])('do not open for %s', (_what, place) => {
    expect(() => decryptSecret(key, encrypt(key, 'a', PLACE), place)).toThrow(REFUSED);
  });

  it('that were stored before they were bound open still, and say so, whatever their nonce begins with', () => {
    for (const firstByte of [undefined, 0, 1])
      expect(decryptSecret(key, encryptUnbound('whsec_abc', firstByte), PLACE)).toEqual({
        text: 'whsec_abc',
        isUnbound: true,
      });
  });
});

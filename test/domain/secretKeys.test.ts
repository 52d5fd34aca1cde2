import { hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decryptSecret, deriveKey, encryptSecret } from '../../domain/secretKeys.ts';

/** Node's own words for a wrong tag, a short tag and a short nonce. */
const REFUSED = /unable to authenticate data|Invalid authentication tag length|Invalid initialization vector/;
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

describe('secrets at rest', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(decryptSecret(key, encryptSecret(key, text))).toBe(text);
      }),
    );
  });

  it('never look the same twice', () => {
    expect(encryptSecret(key, 'a').equals(encryptSecret(key, 'a'))).toBe(false);
  });

  it('are refused when any one byte was changed or the end is missing', () => {
    const stored = encryptSecret(key, 'whsec_abc');
    for (let index = 0; index < stored.length; index += 1) {
      const changed = Buffer.from(stored);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decryptSecret(key, changed)).toThrow(REFUSED);
    }
    for (let length = 0; length < stored.length; length += 1)
      expect(() => decryptSecret(key, stored.subarray(0, length))).toThrow(REFUSED);
  });

  it('are refused under another key', () => {
    expect(() => decryptSecret(randomBytes(32), encryptSecret(key, 'a'))).toThrow(REFUSED);
  });
});

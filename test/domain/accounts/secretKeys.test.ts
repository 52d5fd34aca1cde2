import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decryptSecret,
  decryptSigningSecret,
  deriveKey,
  encryptSecret,
  encryptSigningSecret,
  signingSecretKeys,
  totpSecretContext,
  webhookSecretContext,
} from '../../../domain/accounts/secretKeys.ts';

/** Node's error texts for a wrong tag, a short tag and a short nonce. */
const REFUSED =
  /unable to authenticate data|Invalid authentication tag length|Invalid initialization vector|another context|bound to a context/;
const SECRET_KEY = Buffer.alloc(32, 7);
const key = deriveKey(SECRET_KEY, 'webhook-secrets');
const keys = signingSecretKeys(SECRET_KEY);

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

const CONTEXT = webhookSecretContext('a1b2c3d4e5f6', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11');

/** Encrypts as secrets were stored before they were bound to a context. */
function encryptUnbound(text: string, firstByte?: number): Buffer {
  const nonce = randomBytes(12);
  if (firstByte !== undefined) nonce[0] = firstByte;
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Opens signing secrets as the previous release does. */
function openAsBefore(stored: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(stored.subarray(12, 28));
  return decipher.update(stored.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

describe('secrets at rest', () => {
  it('are never encrypted to the same bytes twice', () => {
    expect(encryptSecret(key, 'a', CONTEXT).equals(encryptSecret(key, 'a', CONTEXT))).toBe(false);
  });

  it('do not open without a binding, whatever their nonce begins with', () => {
    for (const firstByte of [undefined, 0, 1])
      expect(() => decryptSecret(key, encryptUnbound('a', firstByte), CONTEXT)).toThrow(REFUSED);
  });
});

describe('signing secrets', () => {
  it('can be opened by the previous release too', () => {
    expect(openAsBefore(encryptSigningSecret(keys, 'whsec_abc', CONTEXT))).toBe('whsec_abc');
  });

  it('share no nonce between texts or contexts', () => {
    const stored = ['a', 'b'].flatMap((text) =>
      [CONTEXT, 'other'].map((context) => encryptSigningSecret(keys, text, context)),
    );
    expect(new Set(stored.map((each) => each.subarray(0, 12).toString('hex'))).size).toBe(4);
  });

  it('have nonces from a key that encrypts nothing', () => {
    const nonceBy = (macKey: Buffer): Buffer =>
      Buffer.concat(
        [null, CONTEXT].map((context) =>
          createHmac('sha256', macKey)
            .update(JSON.stringify(['attune/bound', context, 'whsec_abc']))
            .digest()
            .subarray(0, 6),
        ),
      );
    const nonce = encryptSigningSecret(keys, 'whsec_abc', CONTEXT).subarray(0, 12);
    expect(nonce).toEqual(nonceBy(deriveKey(SECRET_KEY, 'webhook-secret-nonces')));
    expect(nonce).not.toEqual(nonceBy(key));
  });

  it('still open if they were stored before binding, and say so, whatever their nonce begins with', () => {
    for (const firstByte of [undefined, 0, 1])
      expect(decryptSigningSecret(keys, encryptUnbound('whsec_abc', firstByte), CONTEXT)).toEqual({
        text: 'whsec_abc',
        isUnbound: true,
      });
  });

  it('open too if they are bound by additional data', () => {
    expect(decryptSigningSecret(keys, encryptSecret(key, 'whsec_abc', CONTEXT), CONTEXT)).toEqual({
      text: 'whsec_abc',
      isUnbound: false,
    });
  });
});

describe.each([
  {
    what: 'secrets at rest',
    encrypt: (text: string, context: string) => encryptSecret(key, text, context),
    decrypt: (stored: Buffer, context: string, secretKey = SECRET_KEY) =>
      decryptSecret(deriveKey(secretKey, 'webhook-secrets'), stored, context),
  },
  {
    what: 'signing secrets at rest',
    encrypt: (text: string, context: string) => encryptSigningSecret(keys, text, context),
    decrypt(stored: Buffer, context: string, secretKey = SECRET_KEY) {
      const { text, isUnbound } = decryptSigningSecret(signingSecretKeys(secretKey), stored, context);
      expect(isUnbound).toBe(false);
      return text;
    },
  },
])('$what', ({ encrypt, decrypt }) => {
  it('decrypt to the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(decrypt(encrypt(text, CONTEXT), CONTEXT)).toBe(text);
      }),
    );
  });

  it('are refused if any byte was changed or the end is missing', () => {
    const stored = encrypt('whsec_abc', CONTEXT);
    for (let index = 0; index < stored.length; index += 1) {
      const changed = Buffer.from(stored);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decrypt(changed, CONTEXT)).toThrow(REFUSED);
    }
    for (let length = 0; length < stored.length; length += 1)
      expect(() => decrypt(stored.subarray(0, length), CONTEXT)).toThrow(REFUSED);
  });

  it('are refused under another key', () => {
    expect(() => decrypt(encrypt('a', CONTEXT), CONTEXT, randomBytes(32))).toThrow(REFUSED);
  });

  it.each([
    ['another webhook of the project', webhookSecretContext('a1b2c3d4e5f6', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c12')],
    ['a webhook of another project', webhookSecretContext('zzzzzzzzzzzz', '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')],
    ['a user', totpSecretContext('019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')],
  ])('do not open for %s', (_what, context) => {
    expect(() => decrypt(encrypt('a', CONTEXT), context)).toThrow(REFUSED);
  });
});

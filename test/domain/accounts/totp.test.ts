import { describe, expect, it } from '@jest/globals';
import {
  base32,
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpCode,
  totpStep,
  totpUri,
} from '../../../domain/accounts/totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  // RFC 6238, appendix B, SHA-1.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i s match the RFC', (seconds, code) => {
    expect(totpCode(SECRET, totpStep(seconds * 1000), 8)).toBe(code);
    expect(totpCode(SECRET, totpStep(seconds * 1000))).toBe(code.slice(2));
  });

  it('are accepted one step early or late, but no further', () => {
    const at = 1_234_567_890_000;
    const step = totpStep(at);
    for (const near of [step - 1, step, step + 1]) expect(findTotpStep(SECRET, totpCode(SECRET, near), at)).toBe(near);
    for (const far of [step - 2, step + 2]) expect(findTotpStep(SECRET, totpCode(SECRET, far), at)).toBeNull();
    for (const wrong of ['', '0', '00000a', '1234567']) expect(findTotpStep(SECRET, wrong, at)).toBeNull();
  });

  it('are set up by an address that authenticators read', () => {
    expect(totpUri(SECRET, { issuer: 'Attune', account: 'anna@example.com' })).toBe(
      'otpauth://totp/Attune:anna%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Attune&algorithm=SHA1&digits=6&period=30',
    );
    // RFC 4648, 10.
    expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))).toEqual([
      '',
      'MY',
      'MZXQ',
      'MZXW6',
      'MZXW6YQ',
      'MZXW6YTB',
      'MZXW6YTBOI',
    ]);
    expect(newTotpSecret()).toHaveLength(20);
  });
});

describe('recovery codes', () => {
  it('are ten different ones, and are accepted however they are typed', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    const [code = ''] = codes;
    expect(recoveryCodeHash(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toEqual(recoveryCodeHash(code));
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  hasKeyFormat,
  KEY_FORMATS,
  keyHash,
  newKey,
  storedKey,
  type KeyKind,
} from '../../../domain/accounts/keyFormats.ts';

const KINDS = Object.keys(KEY_FORMATS) as KeyKind[];

describe('keys', () => {
  // proves: webhooks/3, analytics-auth/2
  it.each([
    // proves: decisions-keys/formats
    ['project', /^ck_[A-Za-z0-9]{40}$/],
    // proves: decisions-keys/formats
    ['site', /^ak_[A-Za-z0-9]{40}$/],
    // proves: decisions-keys/formats
    ['tag', /^as_[A-Za-z0-9]{24}$/],
    ['cabinet', /^at_[A-Za-z0-9]{40}$/],
    ['webhook', /^whsec_[A-Za-z0-9]{40}$/],
  ] as const)('of the kind %s have their documented form', (kind, form) => {
    for (let time = 0; time < 50; time += 1) expect(newKey(kind)).toMatch(form);
  });

  it('have the format of their own kind only', () => {
    for (const kind of KINDS) for (const other of KINDS) expect(hasKeyFormat(other, newKey(kind))).toBe(kind === other);
  });

  it.each([
    '',
    'ck_',
    `ck_${'a'.repeat(39)}`,
    `ck_${'a'.repeat(41)}`,
    `ck_${'a'.repeat(39)}-`,
    `CK_${'a'.repeat(40)}`,
    `ck_${'a'.repeat(39)}\n`,
    `ck_${'а'.repeat(40)}`,
  ])('do not include %j', (text) => {
    expect(hasKeyFormat('project', text)).toBe(false);
  });

  it('do not repeat, and use the whole alphabet', () => {
    const keys = Array.from({ length: 500 }, () => newKey('project'));
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.map((key) => key.slice(3)).join('')).size).toBe(62);
  });

  // proves: decisions-keys/stored-hash, decisions-keys/stored-fields
  it('are stored as SHA-256 and distinguished by eight characters', () => {
    expect(keyHash('ck_x').equals(createHash('sha256').update('ck_x').digest())).toBe(true);
    expect(storedKey('ck_1234567').prefix).toBe('ck_12345');
  });
});

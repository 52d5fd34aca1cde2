import { describe, expect, it } from '@jest/globals';
import { senderOf } from '../../../api/auth/sameOrigin.ts';

const PUBLIC_URL = 'https://attune.example';

describe('senderOf', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 'own pages'],
    [{ 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL }, 'elsewhere'],
    [{ 'sec-fetch-site': 'same-site', origin: PUBLIC_URL }, 'elsewhere'],
    [{ 'sec-fetch-site': 'none' }, 'elsewhere'],
    [{ origin: PUBLIC_URL, host: 'internal:8080' }, 'own pages'],
    [{ origin: 'http://internal:8080', host: 'internal:8080' }, 'own pages'],
    [{ origin: 'http://internal:8080', host: 'INTERNAL:8080' }, 'own pages'],
    [{ origin: 'https://attune.example.evil.example', host: 'attune.example' }, 'elsewhere'],
    [{ origin: 'https://attune.example:444', host: 'attune.example' }, 'elsewhere'],
    [{ origin: 'https://internal:8080', host: 'internal:8080' }, 'elsewhere'],
    [{ origin: 'null', host: 'attune.example' }, 'elsewhere'],
    [{ host: 'attune.example' }, 'unknown'],
    [{ host: 'attune.example', referer: PUBLIC_URL }, 'unknown'],
  ])('%j comes from %s', (headers, sender) => {
    expect(senderOf(headers, { publicUrl: PUBLIC_URL, isHttps: false })).toBe(sender);
  });
});

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { limitKeyOf, parseTrustedProxies, peerOf } from '../../../../api/http/limits/trustedProxies.ts';

function from(remoteAddress: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage {
  return { socket: { remoteAddress, ...(encrypted && { encrypted }) }, headers } as unknown as IncomingMessage;
}

const proxies = parseTrustedProxies(['10.0.0.0/8', '192.168.1.1', 'fd00::/8']);

describe('peerOf', () => {
  it.each<[string, string, Record<string, string>, string]>([
    // proves: decisions-hosting/client-address
    ['believes no stranger', '203.0.113.9', { 'x-forwarded-for': '1.2.3.4' }, '203.0.113.9'],
    // proves: decisions-hosting/client-address
    ['believes a trusted proxy', '10.1.2.3', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4'],
    [
      'believes one listed by address, mapped into IPv6',
      '::ffff:192.168.1.1',
      { 'x-forwarded-for': '1.2.3.4' },
      '1.2.3.4',
    ],
    [
      'takes the first untrusted address from the right',
      '10.1.2.3',
      { 'x-forwarded-for': '6.6.6.6, 1.2.3.4, 10.9.9.9' },
      '1.2.3.4',
    ],
    ['takes the leftmost when all are trusted', '10.1.2.3', { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' }, '10.0.0.1'],
    ['stops at something that is not an address', '10.1.2.3', { 'x-forwarded-for': '1.2.3.4, unknown' }, '10.1.2.3'],
    ['needs no header', '10.1.2.3', {}, '10.1.2.3'],
    ['reads IPv6', 'fd00::1', { 'x-forwarded-for': '2001:db8::7' }, '2001:db8::7'],
    ['does not read octal or short forms as addresses', '10.1.2.3', { 'x-forwarded-for': '0x7f.1' }, '10.1.2.3'],
  ])('%s', (_what, remote, headers, ip) => {
    expect(peerOf(from(remote, headers), proxies).ip).toBe(ip);
  });

  it.each<[string, string, Record<string, string>, boolean]>([
    // proves: decisions-hosting/https-scheme
    ['does not believe a stranger that says https', '203.0.113.9', { 'x-forwarded-proto': 'https' }, false],
    // proves: decisions-hosting/https-scheme
    ['believes a trusted proxy that says https', '10.1.2.3', { 'x-forwarded-proto': 'https' }, true],
    // proves: decisions-hosting/https-scheme
    ['believes a trusted proxy that says http', '10.1.2.3', { 'x-forwarded-proto': 'http' }, false],
    [
      'does not believe a client that claims https through a proxy that adds http',
      '10.1.2.3',
      { 'x-forwarded-proto': 'https, http' },
      false,
    ],
    ['assumes http if a trusted proxy says nothing', '10.1.2.3', {}, false],
  ])('decides on the scheme: it %s', (_what, remote, headers, isHttps) => {
    expect(peerOf(from(remote, headers), proxies).isHttps).toBe(isHttps);
  });

  // proves: decisions-hosting/https-scheme
  it('recognises its own TLS', () => {
    expect(peerOf(from('203.0.113.9', {}, true), []).isHttps).toBe(true);
  });

  it('needs a valid setting: parsing names an invalid entry', () => {
    expect(() => parseTrustedProxies(['10.0.0.0/8', 'proxy.local'])).toThrow(/TRUSTED_PROXIES.*proxy\.local/);
  });
});

describe('limitKeyOf', () => {
  it('is the IPv4 address itself, and the /64 network of an IPv6 address', () => {
    expect(limitKeyOf('1.2.3.4')).toBe('1.2.3.4');
    expect(limitKeyOf('2001:db8:1:2:aaaa::1')).toBe(limitKeyOf('2001:db8:1:2:bbbb::2'));
    expect(limitKeyOf('2001:db8:1:2::1')).not.toBe(limitKeyOf('2001:db8:1:3::1'));
  });
});

import { describe, expect, it } from '@jest/globals';
import { CLOSED_RULES, parseAllowNetworks, type AddressRules } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { checkMediaUrl, checkWebhookUrl } from '../../../platform/outgoing/url.ts';

const opened: AddressRules = {
  allow: parseAllowNetworks('127.0.0.0/8'),
  own: { addresses: [], ports: [8080], hosts: [] },
};

const webhook = (text: string, rules?: AddressRules) => reasonOf(checkWebhookUrl(text, rules));
const media = (text: string, rules?: AddressRules, allowHttp = false) =>
  reasonOf(checkMediaUrl(text, rules, { allowHttp }));

function reasonOf(verdict: ReturnType<typeof checkWebhookUrl>): string {
  return verdict.ok ? 'ok' : verdict.reason;
}

function ofLength(length: number): string {
  return 'https://example.com/'.padEnd(length, 'a');
}

describe('checkWebhookUrl', () => {
  it.each([
    'https://example.com',
    'https://example.com/hook',
    'HTTPS://Example.COM/hook',
    'https://example.com:8443/hook?a=1&b=@#'.replace('#', ''),
    'https://example.com:1/',
    'https://example.com./hook',
    'https://xn--e1afmkfd.xn--p1ai/hook',
    'https://receiver/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1]:8443/',
    'https://a-b.example.com/a_b?c_d',
    'https://example.com/@a',
    'https://example.com?x',
    'https://1.example.com/путь',
  ])('accepts %s', (text) => expect(webhook(text)).toBe('ok'));

  it.each([
    ['an empty text', ''],
    ['a text that is no URL', 'hook'],
    ['http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['a missing scheme', '//example.com/'],
    ['missing slashes', 'https:example.com'],
    ['one slash', 'https:/example.com'],
    ['three slashes', 'https:///example.com'],
    ['backslashes', 'https:\\\\example.com'],
    ['a missing host', 'https://'],
    ['only a port', 'https://:443/'],
    ['user and password', 'https://user:pass@example.com/'],
    ['user', 'https://user@example.com/'],
    ['an empty user', 'https://@example.com/'],
    ['an empty user and password', 'https://:@example.com/'],
    ['a backslash before @', 'https://example.com\\@127.0.0.1/'],
    ['a fragment', 'https://example.com/#a'],
    ['an empty fragment', 'https://example.com/#'],
    ['a fragment after the host', 'https://example.com#'],
    ['an underscore', 'https://my_host.example.com/'],
    ['Cyrillic', 'https://пример.рф/'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['an ideographic dot', 'https://127。0.0.1/'],
    ['a percent escape in the host', 'https://%31%32%37.0.0.1/'],
    ['an escaped letter', 'https://ex%61mple.com/'],
    ['a soft hyphen', 'https://exam\u00adple.com/'],
    ['a space', 'https://example.com/a b'],
    ['a leading space', ' https://example.com/'],
    ['a trailing newline', 'https://example.com/\n'],
    ['a tab within', 'https://exa\tmple.com/'],
    ['a zero byte', 'https://example.com/\0'],
    ['a bad port', 'https://example.com:99999/'],
    ['empty labels', 'https://a..b/'],
    ['a comma', 'https://a,b.com/'],
    ['a star', 'https://*.example.com/'],
    ['a long label', `https://${'a'.repeat(64)}.com/`],
    ['a long host', `https://${'abcdefghi.'.repeat(26)}com/`],
    ['an IPv6 zone', 'https://[fe80::1%25eth0]/'],
    ['five numbers', 'https://1.2.3.4.5/'],
  ])('refuses %s as malformed', (_fault, text) => expect(webhook(text)).toBe('invalid_url'));

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '0X7F.0.0.1',
    '0',
    '0.0.0.0',
    '00000177.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '10.0.0.1',
    '168.63.129.16',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[fd00::1]',
    '[fe80::1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
  ])('refuses %s as a target', (host) => expect(webhook(`https://${host}:8443/hook`)).toBe('forbidden_address'));

  it('accepts 2048 characters and not one more', () => {
    expect(webhook(ofLength(2048))).toBe('ok');
    expect(webhook(ofLength(2049))).toBe('too_long');
  });

  it('opens loopback through the allow-list, but not a port of the service', () => {
    expect(webhook('https://127.0.0.1:9000/', opened)).toBe('ok');
    expect(webhook('https://localhost:9000/', opened)).toBe('ok');
    expect(webhook('https://127.0.0.1:8080/', opened)).toBe('forbidden_address');
    expect(webhook('https://localhost:8080/', opened)).toBe('forbidden_address');
    expect(webhook('http://127.0.0.1:9000/', opened)).toBe('invalid_url');
  });

  it('returns the parsed URL', () => {
    const verdict = checkWebhookUrl('https://Example.com:8443/hook?a=1');
    expect(verdict.ok && verdict.url.href).toBe('https://example.com:8443/hook?a=1');
  });
});

describe('checkMediaUrl', () => {
  // proves: service/1
  it.each([
    'https://example.com/a.mp4',
    'https://my_bucket.example.com/a.mp4',
    'https://пример.рф/видео.mp4',
    'https://example.com/a b.mp4',
    'https://example.com/a.mp4#t=10',
  ])('accepts %s', (text) => expect(media(text)).toBe('ok'));

  // proves: decisions-media/target
  it.each([
    'http://example.com/a.mp4',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'https://u:p@example.com/',
    'https://@example.com/',
    'a.mp4',
    'https:///a',
    'https://a\\b/',
  ])('refuses %s as malformed', (text) => expect(media(text)).toBe('invalid_url'));

  it.each([
    'https://127.0.0.1/a',
    'https://１２７.0.0.1/a',
    'https://%6cocalhost/a',
    'https://[::1]/a',
    'https://0x7f.1/a',
  ])('refuses the target of %s', (text) => {
    expect(media(text)).toBe('forbidden_address');
  });

  it('refuses an address over 2048 characters', () => expect(media(ofLength(2049))).toBe('too_long'));

  it('accepts http only on request, and only within the allow-list', () => {
    expect(media('http://127.0.0.1:9000/a.mp4', opened)).toBe('invalid_url');
    expect(media('http://127.0.0.1:9000/a.mp4', opened, true)).toBe('ok');
    expect(media('http://localhost:9000/a.mp4', opened, true)).toBe('ok');
    expect(media('http://8.8.8.8/a.mp4', opened, true)).toBe('invalid_url');
    expect(media('http://127.0.0.1:9000/a.mp4', CLOSED_RULES, true)).toBe('forbidden_address');
  });
});

import { describe, expect, it } from '@jest/globals';
import { listedNamesOf, listsHost, normaliseHost } from '../../../domain/sites/hosts.ts';

describe('a host', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['*.Example.com', '*.example.com'],
    ['*', '*'],
    ['localhost', 'localhost'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['*.пример.рф', '*.xn--e1afmkfd.xn--p1ai'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[::0001]', '[::1]'],
    ['a_b.example.com', 'a_b.example.com'],
  ])('%s is stored as %s', (given, kept) => {
    expect(normaliseHost(given)).toBe(kept);
  });

  it.each([
    '',
    ' ',
    'https://example.com',
    'example.com:80',
    'example.com/',
    'a@example.com',
    '*.',
    '**',
    '*.*.com',
    'a.*.com',
    '*.127.0.0.1',
    '*.[::1]',
    'a..b',
    '-a.com',
    '.com',
    'exa mple.com',
    'a%41.com',
    'a\\b',
    '999.1.1.1.1.999',
    '[::1',
    'x'.repeat(64) + '.com',
    `${'abcdefghi.'.repeat(26)}com`,
    'a?b',
    'a#b',
    '\u0000',
    '\ud800.com',
    'a,b.com',
  ])('%j is invalid', (given) => {
    expect(normaliseHost(given)).toBeNull();
  });

  it('is stored under the name that a browser gives it', () => {
    for (const host of ['Example.COM', 'пример.рф', 'bücher.example'])
      expect(normaliseHost(host)).toBe(new URL(`https://${host}/`).hostname);
  });
});

describe('a site', () => {
  it.each([
    [['example.com'], 'example.com', true],
    [['example.com'], 'www.example.com', false],
    [['example.com'], 'example.com.', true],
    [['*.example.com'], 'www.example.com', true],
    [['*.example.com'], 'a.b.example.com', true],
    [['*.example.com'], 'example.com', false],
    [['*.example.com'], 'badexample.com', false],
    [['*.example.com'], '.example.com', false],
    [['*'], 'anything.test', true],
    [[], 'example.com', false],
    [['a.test', '*.b.test'], 'c.b.test', true],
  ])('with %j lists %s: %s', (hosts, host, isListed) => {
    expect(listsHost(hosts, host)).toBe(isListed);
  });
});

describe('the names that allow a host', () => {
  it.each([
    ['a.b.example', ['a.b.example', '*.b.example', '*.example']],
    ['example.', ['example']],
    ['10.0.0.1', ['10.0.0.1']],
    ['[::1]', ['[::1]']],
    ['', []],
  ])('of %s are exactly those that match it', (host, names) => {
    expect(listedNamesOf(host)).toEqual(names);
    for (const name of names) expect(listsHost([name], host)).toBe(true);
  });
});

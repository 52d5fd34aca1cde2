import { expect, it } from '@jest/globals';
import { pageParts } from '../../../../domain/visits/addresses/pageParts.ts';

it.each([
  ['https://SHOP.example:8443/A?b#c', 'shop.example', '/A'],
  ['https://shop.example./a', 'shop.example', '/a'],
  ['https://магазин.рф./a', 'xn--80aairftm.xn--p1ai', '/a'],
  ['https://[::1]:8443/a', '[::1]', '/a'],
  ['file:///C:/a.html', '', '/C:/a.html'],
  ['not a URL?b#c', '', 'not a URL'],
])('takes the domain and the path from %s', (url, domain, path) => {
  expect(pageParts(url)).toEqual({ domain, path });
});

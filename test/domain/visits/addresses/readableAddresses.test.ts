import { describe, expect, it } from '@jest/globals';
import { addressPartPattern } from '../../../../domain/visits/addresses/readableAddresses.ts';

describe('the pattern of a part of an address', () => {
  it.each([
    ['/a.b?c=[1]', '/a.b?c=[1]'],
    ['HTTPS://Shop.example/(A)', 'https://shop.example/(a)'],
    ['чай', '/%d1%87%d0%b0%d0%b9'],
    ['ЧАЙ', '/%d1%87%d0%b0%d0%b9'],
    ['чай', '/%d0%a7%d0%b0%d0%b9'],
    ['%D1%87ай', '/чай'],
    ['a b', '/a%20b'],
    ['пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/'],
  ])('%s finds %s', (part, address) => {
    expect(address).toMatch(new RegExp(addressPartPattern(part), 'u'));
  });

  it('matches the characters of the part literally', () => {
    expect('/axb').not.toMatch(new RegExp(addressPartPattern('a.b'), 'u'));
    expect('/чай'.toLowerCase()).not.toMatch(new RegExp(addressPartPattern('кофе'), 'u'));
  });

  it('has a bounded length for letters that browsers encode, and is complete for others', () => {
    expect(addressPartPattern('ж'.repeat(2048)).length).toBeLessThan(5_000);
    expect(addressPartPattern('/a'.repeat(1024))).toBe('/a'.repeat(1024));
  });
});

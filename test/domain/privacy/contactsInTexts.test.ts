import { describe, expect, it } from '@jest/globals';
import { withoutContacts, withoutEmails } from '../../../domain/privacy/contactsInTexts.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

describe('text that looks like an e-mail address', () => {
  it.each([
    ['anna@x.ru', '[email]'],
    ['Anna.Ivanova+shop@Mail.Example-Shop.co.uk', '[email]'],
    ['write to anna@x.ru, or to b_c@y.museum.', 'write to [email], or to [email].'],
    ['mailto:anna@x.ru', 'mailto:[email]'],
    ['анна@почта.рф', '[email]'],
    ['anna@xn--80a1acny.xn--p1ai', '[email]'],
    ['<anna@x.ru>', '<[email]>'],
    ['("anna@x.ru")', '("[email]")'],
    ['anna＠x.ru', '[email]'],
    [`${'a'.repeat(64)}@x.ru`, '[email]'],
  ])('is replaced: %s', (text, expected) => {
    expect(withoutContacts(text)).toBe(expected);
    expect(withoutEmails(text)).toBe(expected);
  });

  it.each([
    '@anna',
    'anna@',
    'a @ b',
    'logo@2x.png',
    'logo@1.5x.webp',
    'react@18.2.0',
    'anna@localhost',
    '/@55.75,37.61,15z',
    '@media print',
    'a@b',
    'price @ 5.00',
  ])('is not found in %s', (text) => expect(withoutContacts(text)).toBe(text));

  it('is searched in linear time at most', async () => {
    const texts = [
      'a'.repeat(2_000),
      '@'.repeat(2_000),
      'a@'.repeat(1_000),
      'a.'.repeat(1_000),
      '8-'.repeat(1_000),
      '+1 '.repeat(700),
      '1 '.repeat(1_000),
    ];
    const lookAtAll = () => texts.forEach((text) => withoutContacts(`${text}@`));
    expect(await cpuMsOf(lookAtAll)).toBeLessThan(1_000);
  });
});

describe('text that looks like a telephone number', () => {
  it.each([
    ['+79165557301', '[phone]'],
    ['+7 916 555-73-01', '[phone]'],
    ['+7 (916) 555-73-01', '[phone]'],
    ['+7(916)5557301 доб. 12', '[phone] доб. 12'],
    ['8 (916) 555-73-01', '[phone]'],
    ['8-916-555-73-01', '[phone]'],
    ['8 916 555 73 01', '[phone]'],
    ['8(916)5557301', '[phone]'],
    ['8 916 5557301', '[phone]'],
    ['7916 555 73 01', '[phone]'],
    ['8.916.555.73.01', '[phone]'],
    ['89165557301', '[phone]'],
    ['79165557301', '[phone]'],
    ['Звоните: 89165557301, Анна', 'Звоните: [phone], Анна'],
    ['8 (4012) 12-34-56', '[phone]'],
    ['8 800 555-35-35', '[phone]'],
    ['8\u00a0916\u00a0555\u201173\u201101', '[phone]'],
    ['(495) 123-45-67', '[phone]'],
    ['495 123-45-67', '[phone]'],
    ['(916) 555-1234', '[phone]'],
    ['916-555-1234', '[phone]'],
    ['+1 916 555 1234', '[phone]'],
    ['1-415-555-2671', '[phone]'],
    ['1 (415) 555-2671', '[phone]'],
    ['call 1.415.555.2671', 'call [phone]'],
    ['+44 20 7946 0958', '[phone]'],
    ['+4917612345678', '[phone]'],
    ['+380 50 123 45 67', '[phone]'],
    ['375291234567', '[phone]'],
    ['77011234567', '[phone]'],
    ['+7 916 555-73-01 20.11.2026', '[phone] 20.11.2026'],
    ['tel 89165557301 or 89165557302', 'tel [phone] or [phone]'],
  ])('is replaced: %s', (text, expected) => expect(withoutContacts(text)).toBe(expected));

  it.each([
    '2026-11-20', '20.11.2026', '2026-11-20T10:15:30.250Z', '2026-11-20T10:15:30+03:00', '2026-11-20 10:15:30', '20261120101530', '8.11.2026 10:15', '7-8.11.2026', '2025-2026', '01.01.2026-31.12.2026',
    '1732312345', '1732312345678', '1234567890.1732312345', 'fb.1.1732312345678.1234567890', 'GA1.2.1234567890.1732312345', 'GS1.1.1732312345.1.1.1732312399.0.0.0',
    '1 990 000', '12 345 678.90', '79 990 ₽', '1,990.00', '$1234567.89', '8 900 000 000 руб.', '123456789.12', '79990000000.50',
    '1234567890', '12345678901', '9161234567', '123456789012345678', '4601234567890', 'A-1001', 'ORD-2026-000123', '123-4567890-1234567', '1-415-555', '11-415-555-2671', '1-978-555-12014-7', '1234-5678-9012', 'INV/2026/11/000123', '№79165557301', '#79165557301',
    '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e', '12345678-1234-4123-8123-123456789012', '89165557-3012-4123-8123-791655573012', '8916555730112345', 'a79165557301', '79165557301b', '79165557301-2',
    'gid|5012345678|aid|15012345678|79165557301|', 'cid|79165557301', 'Cj0KCQiA79165557301wIBAGwLaHn', '192.168.100.200', '78.123.45.67', '55.751244,37.618423', '+3', 'UTC+03:00', 'c++11', 'iphone 15 256', '978-5-699-12014-7', '4111 1111 1111 1111',
    '1920x1080', '5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.6099.129', '100%', '12:30:45', '1/2/3', '0.123456789012',
  ])('is not found in %s', (text) => expect(withoutContacts(text)).toBe(text)); // prettier-ignore

  it('is searched for in linear time', async () => {
    const letters = 'a'.repeat(4_000_000);
    const search = () => {
      expect(withoutContacts(`${letters}@`)).toBe(`${letters}@`);
      expect(withoutContacts(`${letters}@example.ru`)).toBe(`${letters.slice(64)}[email]`);
    };
    expect(await cpuMsOf(search)).toBeLessThan(3_000);
  });

  it('is not found in a bare number where ids are kept, but is with a plus or in the usual notation', () => {
    expect(withoutContacts('79165557301', 'ids')).toBe('79165557301');
    expect(withoutContacts('+79165557301', 'ids')).toBe('[phone]');
    expect(withoutContacts('8 (916) 555-73-01', 'ids')).toBe('[phone]');
    expect(withoutEmails('8 (916) 555-73-01')).toBe('8 (916) 555-73-01');
  });
});

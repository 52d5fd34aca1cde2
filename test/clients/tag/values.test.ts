import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isOwnHost, pageUrl, withoutQuery } from '../../../clients/tag/page/address.ts';
import { isDownload } from '../../../clients/tag/page/downloads.ts';
import { MAX_EVENTS } from '../../../domain/collect/tagEventLimits.ts';
import { BATCH_BYTES, LATE_MS, pickBatch, type Entry } from '../../../clients/tag/sending/batch.ts';
import type { TagEvent } from '../../../clients/tag/data/event.ts';
import { stringify } from '../../../clients/tag/data/json.ts';
import { optionsOff, readOptions } from '../../../clients/tag/data/options.ts';
import { readOrder } from '../../../clients/tag/data/order.ts';
import { readParams } from '../../../clients/tag/data/params.ts';
import { byteLength, cut, identifier } from '../../../clients/tag/data/storableText.ts';
import { readUser } from '../../../clients/tag/data/user.ts';
import { EMAIL_MARK, PHONE_MARK } from '../../../domain/privacy/contactMarks.ts';
import { anyText } from '../../support/anyText.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const MARKS = [EMAIL_MARK, PHONE_MARK];

const characters = (text: string): number => [...text].length;

describe('texts', () => {
  it('are truncated by Unicode characters, and lose what cannot be stored', () => {
    expect(cut('😀😀😀', 2)).toBe('😀😀');
    expect(cut('a\0b\ud800c\udc00d', 10)).toBe('abcd');
    expect(cut('x'.repeat(1e6), 5)).toBe('xxxxx');
    fc.assert(
      fc.property(anyText(), fc.nat(20), (text, max) => {
        const result = cut(text, max);
        expect(result.isWellFormed()).toBe(true);
        expect(characters(result)).toBeLessThanOrEqual(max);
        if (text.isWellFormed() && !/\0|(?:[@\uff20]|%40).*\.|(?:\d\D*){9}/s.test(text))
          expect(result).toBe([...text].slice(0, max).join(''));
      }),
    );
  });

  it('of any kind lose no more than a contact at the limit, and are never emptied', () => {
    const units = ['ann', '@', '＠', '.', 'com', '8', '916', ' ', '-', '+', '%20', '%40', '%D0%B8', '新', '/', '_'];
    const texts = fc.array(fc.constantFrom(...units), { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 100 }), (text, max) => {
        const plain = [...text].slice(0, max).join('');
        const result = cut(text, max);
        expect(result === '').toBe(plain === '');
        if (result === plain || MARKS.some((mark) => mark.startsWith(result))) return;
        expect(plain.startsWith(result)).toBe(true);
        expect(/[@\uff20]|%40|[0-9]/.test(text.slice(result.length))).toBe(true);
      }),
    );
  });

  it.each([
    ['an address', `${'x'.repeat(80)} ann.lee@example.com`, 90, 'x'.repeat(80)],
    ['an address before its @', 'Order of ann.lee@example.com', 15, 'Order of'],
    ['an encoded address', 'https://x.y/a?u=1&to=ann%40example.com&z=1', 30, 'https://x.y/a?u=1&to='],
    ['a number', 'Call 8 (916) 555-73-01 now', 15, 'Call'],
    ['a number in a query', 'https://x.y/a?n=%2B7%20916%20555%2073%2001', 30, 'https://x.y/a?n='],
    [
      'a number between escapes',
      'https://x.y/a?q=%D1%82%D0%B5%D0%BB%208%20916%20555%2073%2001%20',
      55,
      `https://x.y/a?q=${encodeURIComponent('тел')}`,
    ],
    ['a number after a space in a form', 'https://x.y/a?q=tel+8+916+555+73+01', 32, 'https://x.y/a?q=tel+'],
    ['a number after many others', '1 12 13 14 15 16 17 18 8 916 555 73 01', 35, '1 12 13 14 15 16'],
    ['a number that more digits follow', 'Call +7 916 555-73-012026891', 20, 'Call'],
    ['an address after an escape', 'https://x.y/a?q=mail%20ann%40example.com', 32, 'https://x.y/a?q=mail%20'],
    ['an address whose escape is cut', 'https://x.y/a?q=ann%40example.com', 20, 'https://x.y/a?q='],
    ['an address with a full-width @', 'Order of ann＠example.com', 13, 'Order of'],
    ['an encoded address with a full-width @', 'https://x.y/a?q=ann%EF%BC%A0example.com', 23, 'https://x.y/a?q='],
    [
      'an address encoded twice',
      'https://x.y/a?u=https%3A%2F%2Fy%3Fq%3Dann%2540example.com',
      45,
      'https://x.y/a?u=https%3A%2F%2Fy%3Fq%3D',
    ],
    [
      'an address in Cyrillic',
      `https://x.y/a?q=${encodeURIComponent('анна')}%40${encodeURIComponent('почта.рф')}`,
      60,
      'https://x.y/a?q=',
    ],
    ['an address after text without a space', `${'新'.repeat(200)}ann@example.com`, 205, '新'.repeat(139)],
  ])('lose the beginning of %s at the limit, which would not be recognised', (_, text, max, kept) => {
    expect(cut(text, max)).toBe(kept);
    expect(cut(text, text.length)).toBe(text);
  });

  it.each([
    ['a word', 'x'.repeat(300), 255],
    ['numbers in words', 'step_1234567890_'.repeat(20), 255],
    ['letters among digits', 'https://x.y/?state=a1b2c3d4e5f6a7b8c9d0e1f2', 30],
    ['a name after an @', 'https://x.y/@ann/posts?from=mail', 25],
    ['a few numbers', 'Sale 2026: 10 or 20', 15],
    ['text after an address', 'ann@example.com wrote this', 22],
    ['Chinese', '新'.repeat(30), 20],
    ['an encoded path', `https://shop.ru/${encodeURIComponent('длинный-адрес-'.repeat(40))}`, 2048],
    ['an encoded last value', `https://shop.ru/?page=2&q=${encodeURIComponent('и'.repeat(400))}`, 2048],
    ['Base64', `https://shop.ru/?state=${'aZ09'.repeat(500)}x%3D%3D`, 2021],
    ['Chinese sentences with an @', `${'关注，'.repeat(300)}＠${'小明的，'.repeat(200)}`, 1000],
    ['Chinese words with an @', `${'关'.repeat(995)}＠${'明'.repeat(500)}`, 1000],
    ['the name of a file', '/assets/sprite-of-buttons@2x.png and more', 30],
    ['a version', 'see react@18.2.0 and more', 12],
    ['a long number', '1234567890123456789012345', 20],
  ])('keep all that fits where no contact is cut: %s', (_, text, max) => {
    expect(cut(text, max)).toBe([...text].slice(0, max).join(''));
  });

  it.each([
    ['an address', `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.com`, 100, '[email]'],
    ['a number', '8 (916) 555-73-01', 10, '[phone]'],
    ['a number with a limit below that of any text', '8 (916) 555-73-01', 3, '[ph'],
  ])('become the mark of %s if they would be empty without its beginning', (_, text, max, kept) => {
    expect(cut(text, max)).toBe(kept);
  });

  it('of any kind are cut within a second', async () => {
    const units = ['1 ', '(', 'a@', '@', '%40', '1', ' ', 'a', 'я', '%D0%B8', '%80', '%25', '%', 'a.', '@a.', '1%20'];
    const ms = await cpuMsOf(() => units.forEach((unit) => cut(unit.repeat(5_000), 2048)));
    expect(ms).toBeLessThan(1_000);
  });

  it('are kept whole or dropped if they are identifiers', () => {
    expect(identifier('x'.repeat(191), 191)).toBe('x'.repeat(191));
    for (const value of ['x'.repeat(192), '', '  ', 'a\0', '\ud800', null, {}, NaN, Infinity, true])
      expect(identifier(value, 191)).toBeUndefined();
    expect(identifier(12.5, 191)).toBe('12.5');
  });
});

describe('JSON', () => {
  it('contains nothing that the server refuses, and is unchanged otherwise', () => {
    expect(stringify({ a: 'x\0y\ud800z', '\udc00k': 1 })).toBe('{"a":"xyz","k":1}');
    expect(stringify('a\\u0000 \\\\ud800')).toBe(JSON.stringify('a\\u0000 \\\\ud800'));
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        if (!text.includes('\\u0000')) expect(stringify(value)).toBe(text);
      }),
    );
  });

  it('works without the toJSON of old libraries, which stays available to the page', () => {
    const prototype = Array.prototype as { toJSON?: unknown };
    const own = (): string => 'ruined';
    prototype.toJSON = own;
    try {
      expect(JSON.stringify([1])).toBe('"ruined"');
      expect(stringify({ list: [1, { deep: [2] }] })).toBe('{"list":[1,{"deep":[2]}]}');
      expect(prototype.toJSON).toBe(own);
    } finally {
      delete prototype.toJSON;
    }
  });
});

describe('params', () => {
  // proves: tag-limits/params
  it('over their size, too deep or not JSON are not sent', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(readParams({ a: 'x'.repeat(2040) }, 2048)).toBeDefined();
    expect(readParams({ a: 'x'.repeat(2041) }, 2048)).toBeUndefined();
    expect(readParams({ a: 'я'.repeat(1021) }, 2048)).toBeUndefined();
    expect(readParams(nested(16), 2048)).toBeDefined();
    for (const value of [nested(17), circle, { n: 1n }, {}, [], null, 'x', 5, undefined, () => {}])
      expect(readParams(value, 2048)).toBeUndefined();
  });

  it('are a copy', () => {
    const given = { list: [1], when: new Date(0), gone: undefined };
    const read = readParams(given, 2048);
    given.list.push(2);
    expect(read).toEqual({ list: [1], when: '1970-01-01T00:00:00.000Z' });
  });
});

describe("svc('user')", () => {
  it.each<[string, unknown, unknown]>([
    [
      'right values are kept',
      {
        user_id: 'u',
        email: 'a@b',
        phone: '+7 999',
        gender: 'male',
        age: 5,
        city: 'Omsk',
        children: [0, 17],
        interests: ['a'],
        params: { a: 1 },
      },
      {
        user_id: 'u',
        email: 'a@b',
        phone: '+7 999',
        gender: 'male',
        age: 5,
        city: 'Omsk',
        children: [0, 17],
        interests: ['a'],
        params: { a: 1 },
      },
    ],
    // proves: tag-limits/age, tag-limits/left-out
    [
      'wrong values are left out',
      {
        user_id: '',
        email: 'no',
        phone: {},
        gender: 'x',
        age: 4,
        city: 5,
        children: 'x',
        interests: [7],
        params: [],
        other: 1,
        name: 'Anna',
      },
      undefined,
    ],
    // proves: tag-limits/age, tag-limits/children
    ['ages at the limits are kept', { age: 100, children: [17, 0] }, { age: 100, children: [17, 0] }],
    // proves: tag-limits/age, tag-limits/left-out
    ['right values beside a wrong one are sent', { age: 101, gender: 'female' }, { gender: 'female' }],
    ['numbers become their digits', { user_id: 7, phone: 79990001122 }, { user_id: '7', phone: '79990001122' }],
    // proves: tag-limits/children, tag-limits/cut
    [
      'surplus children are left out',
      { children: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
      { children: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    ],
    // proves: tag-limits/children
    ['wrong children among right ones are left out', { children: [1, 18, -1, 2.5, 3] }, { children: [1, 3] }],
    ['an empty list of children is kept', { children: [] }, { children: [] }],
    // proves: tag-limits/user_id, tag-limits/email, tag-limits/cut
    [
      'contacts that are too long are left out',
      { user_id: 'x'.repeat(192), email: `${'x'.repeat(253)}@x`, phone: '1'.repeat(33), age: 30 },
      { age: 30 },
    ],
    // proves: tag-limits/user-params
    ['params over 4 KB are left out', { age: 30, params: { a: 'x'.repeat(4089) } }, { age: 30 }],
    ['an argument that is not an object is ignored', 'x', undefined],
  ])('%s', (_name, given, expected) => {
    expect(readUser(given)).toEqual(expected);
  });

  it('sends no part of a contact that the limit of an interest or a city would cut', () => {
    const filler = (words: number) => 'ab '.repeat(words).trim();
    for (const contact of ['anna@example.org', '8 916 555 73 01'])
      expect(readUser({ interests: [`${filler(65)} ${contact}`], city: `${filler(41)} ${contact}` })).toEqual({
        interests: [filler(65)],
        city: filler(41),
      });
  });

  // proves: tag-limits/email, tag-limits/interests, tag-limits/cut
  it('cuts over-long texts and surplus interests', () => {
    const user = readUser({ city: '😀'.repeat(200), interests: Array.from({ length: 60 }, () => 'я'.repeat(300)) }) as {
      city: string;
      interests: string[];
    };
    expect(characters(user.city)).toBe(128);
    expect(user.interests).toHaveLength(50);
    expect(user.interests.every((text) => characters(text) === 200)).toBe(true);
  });
});

describe('orders', () => {
  it('keep their valid parts', () => {
    expect(readOrder({ revenue: 1 })).toBeUndefined();
    expect(
      readOrder({
        transaction_id: 5,
        revenue: -1,
        currency: 'roubles',
        products: [{ price: 1 }, 'x', { name: 'n', price: -1, qty: 0, brand: 'b' }],
        promo_code: '',
      }),
    ).toEqual({ transaction_id: '5', products: [{ name: 'n', brand: 'b' }] });
  });

  // proves: tag-limits/cut
  it('are truncated where the meaning stays the same: a product without its over-long id is known by its name', () => {
    const long = 'я'.repeat(2000);
    const products = [
      { id: long, name: long, brand: long, price: 1 },
      { id: long, price: 1 },
      { id: 'я'.repeat(255), category: 'c' },
    ];
    expect(readOrder({ transaction_id: 't', promo_code: long, products })).toEqual({
      transaction_id: 't',
      products: [
        { name: 'я'.repeat(1000), brand: 'я'.repeat(255), price: 1 },
        { id: 'я'.repeat(255), category: 'c' },
      ],
    });
    expect(readOrder({ transaction_id: long })).toBeUndefined();
  });

  it('keep a product whose name is cut within a contact, and leave out empty texts', () => {
    const name = `a@${'b'.repeat(60)}.com`;
    const products = [
      { name: `${'x '.repeat(490)}${name}` },
      { name: `${' '.repeat(990)}${name}`, brand: '\0' },
      { name: '\0' },
    ];
    expect(readOrder({ transaction_id: 't', products })?.['products']).toEqual([
      { name: 'x '.repeat(490).trim() },
      { name: '[email]' },
    ]);
  });

  it('of any size fit into a batch', () => {
    const products = Array.from({ length: 500 }, (_, id) => ({
      id,
      name: 'я'.repeat(1000),
      category: 'к'.repeat(1000),
    }));
    const order = readOrder({ transaction_id: 't', products });
    expect(byteLength(stringify(order))).toBeLessThan(BATCH_BYTES);
    expect(readOrder({ transaction_id: 't', products: products.map(({ id }) => ({ id })) })?.['products']).toHaveLength(
      200,
    );
  });
});

describe('addresses', () => {
  it.each([
    ['https://user:pw@shop.example/a?b=1#token=x', 'https://shop.example/a?b=1'],
    ['https://shop.example/#/route', 'https://shop.example/#/route'],
    ['https://shop.example/#!/route', 'https://shop.example/#!/route'],
    ['https://shop.example/#place', 'https://shop.example/'],
    ['no address', 'no address'],
  ])('%s is reported as %s', (address, expected) => {
    expect(pageUrl(address)).toBe(expected);
  });

  it('are at most 2,048 characters', () => {
    expect(pageUrl(`https://shop.example/${'a'.repeat(5000)}`)).toHaveLength(2048);
  });

  it("can be stripped of their query, and recognised as downloads or as the site's own", () => {
    expect(withoutQuery('https://s/a?b=1#/c?d')).toBe('https://s/a#/c?d');
    expect(['/a.pdf', '/A.ZIP', '/x.tar.gz', '/pdf', '/a.html', '/a.php', '/a.mp3'].map(isDownload)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(isOwnHost('m.shop.example', 'www.shop.example', 'shop.example')).toBe(true);
    expect(isOwnHost('eshop.example', 'www.shop.example', 'shop.example')).toBe(false);
    expect(isOwnHost('shop.example', 'www.shop.example', null)).toBe(true);
    expect(isOwnHost('m.shop.example', 'www.shop.example', null)).toBe(false);
  });
});

describe('batches', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const entry = (n: number, bytes: number, visitor = 'v', ageMs = 0): Entry => ({
    v: visitor,
    e: {
      id: `${n}`,
      at: new Date(now - ageMs).toISOString(),
      type: 'event',
      url: '',
      title: 'x'.repeat(bytes),
    } satisfies TagEvent,
  });

  // proves: tag-limits/batch
  it('of any events have at most 50 of them, 60,000 bytes and one visitor, and leave the rest in order', () => {
    const entries = fc.array(fc.tuple(fc.nat(90_000), fc.constantFrom('v', 'w'), fc.constantFrom(0, LATE_MS + 1)), {
      maxLength: 120,
    });
    fc.assert(
      fc.property(entries, (given) => {
        const all = given.map(([bytes, visitor, age], n) => entry(n, bytes, visitor, age));
        const { events, rest, dropped } = pickBatch(all, now);
        expect(events.length).toBeLessThanOrEqual(MAX_EVENTS);
        expect(byteLength(stringify(events.map(({ e }) => e)))).toBeLessThanOrEqual(BATCH_BYTES);
        expect(new Set(events.map(({ v }) => v)).size).toBeLessThanOrEqual(1);
        const kept = new Set([...events, ...rest]);
        expect([...events, ...rest]).toEqual(all.filter((entry) => kept.has(entry)));
        expect(kept.size + dropped.length).toBe(all.length);
        if (rest.length > 0) expect(events.length).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});

it('options are on unless they are switched off', () => {
  expect(readOptions(undefined)).toEqual({
    pageviews: true,
    clicks: true,
    forms: true,
    outbound: true,
    downloads: true,
    scroll: true,
    ping: true,
    recording: true,
    gpc: true,
    params: null,
  });
  expect(readOptions({ ...optionsOff(' clicks, scroll'), params: { a: 1 } })).toMatchObject({
    clicks: false,
    scroll: false,
    forms: true,
    params: { a: 1 },
  });
});

/** Filters on addresses compare decoded values. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { matchesAddress } from '../../../../reports/compile/conditions/pageAddressFilters.ts';
import type { Filter } from '../../../../reports/reportRequest.ts';
import { raw } from '../../../../reports/sql/index.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { hitRow, visitRow } from '../../../support/lake/lake.ts';
import { createWorld, type World } from '../world.ts';

const START = Date.UTC(2026, 2, 1, 12);
const HOST = 'xn--e1afmkfd.xn--p1ai';
/** Its label has combining marks: हिन्दी. */
const MARKED_HOST = 'xn--j2bd4cyah0f.example';
const THANKS = '/%D1%81%D0%BF%D0%B0%D1%81%D0%B8%D0%B1%D0%BE';
/** йод.рф, and чай with its last letter in two parts. */
const WHOLE_HOST = 'xn--d1ajp.xn--p1ai';
const MARKED_PATH = '/%D1%87%D0%B0%D0%B8%CC%86';
const PAGES = [
  { url: `https://${HOST}${THANKS}`, domain: HOST, path: THANKS },
  { url: `https://${HOST}${THANKS}/?q=%D1%87%D0%B0%D0%B9#%D0%B0`, domain: HOST, path: `${THANKS}/` },
  { url: 'https://shop.example/thanks?next=/', domain: 'shop.example', path: '/thanks' },
  { url: 'https://shop.example/%ff?a=%', domain: 'shop.example', path: '/%ff' },
  { url: `https://${MARKED_HOST}/`, domain: MARKED_HOST, path: '/' },
  // The query is in windows-1251.
  { url: `https://shop.example${THANKS}?q=%F7%E0%E9&from=%D1%8F`, domain: 'shop.example', path: THANKS },
  // й as one letter in the host, and as a letter with a mark in the path, as macOS writes names of files.
  { url: `https://${WHOLE_HOST}${MARKED_PATH}`, domain: WHOLE_HOST, path: MARKED_PATH },
  { url: `https://shop.example/go?to=https://${HOST}/`, domain: 'shop.example', path: '/go' },
  { url: `https://shop.example/go?host=${HOST}`, domain: 'shop.example', path: '/go' },
];

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const visits = PAGES.map(({ url, domain, path }, index) => {
    const visit_id = `00000000-0000-4000-8000-00000000000${index}`;
    const row = { entry_url: url, entry_domain: domain, entry_path: path, exit_url: url, exit_path: path };
    return { visit: visitRow({ visit_id, started_at: START, ...row }), visit_id, url, domain, path };
  });
  await world.put({
    visits: visits.map(({ visit }) => visit),
    hits: visits.map(({ visit_id, url, domain, path }) =>
      hitRow({ visit_id, visit_started_at: START, at: START, page_url: url, page_domain: domain, page_path: path }),
    ),
  });
});
afterAll(() => world?.close());

/** Returns the numbers of the pages that a filter admits. */
async function pagesOf(dimension: string, op: Filter['op'], ...values: string[]): Promise<number[]> {
  const { rows } = await world.report({
    dimensions: [dimension.startsWith('entry') ? 'entry_page' : 'page_url'],
    metrics: [dimension.startsWith('entry') ? 'visits' : 'pageviews'],
    filters: [{ dimension, op, values }],
  });
  return rows.map(([[label]]) => PAGES.findIndex(({ url }) => url === label)).sort();
}

// proves: decisions-visits/url-filters
describe.each([
  ['page_url', 'page_path', 'page_domain'],
  ['entry_page', 'entry_path', 'entry_domain'],
] as const)('filters of %s, %s and %s', (url, path, domain) => {
  it.each<[Filter['op'], string[], number[]]>([
    ['eq', ['https://пример.рф/спасибо'], [0, 1]],
    ['eq', [`https://${HOST}${THANKS}/`], [0, 1]],
    ['eq', ['https://пример.рф/спасибо/?q=чай'], [1]],
    ['eq', ['https://shop.example/thanks/'], [2]],
    ['eq', ['https://shop.example/thanks?next='], []],
    ['eq', ['https://shop.example/%ff?a=%'], [3]],
    ['neq', ['https://пример.рф/спасибо'], [2, 3, 4, 5, 6, 7, 8]],
    ['in', ['https://shop.example/thanks', 'https://пример.рф/спасибо?q=чай'], [1, 2]],
    ['eq', ['https://shop.example/спасибо?q=%F7%E0%E9&from=я'], [5]],
    ['contains', ['ПРИМЕР.рф/спас'], [0, 1]],
    ['contains', ['example/спасибо'], [5]],
    ['contains', ['q=%F7%E0%E9'], [5]],
    ['contains', ['%D1%87%D0%B0%D0%B9'], [1, 6]],
    ['regex', ['^https://пример\\.рф/[а-я]+/?$'], [0]],
    ['regex', ['q=%D1%87%D0%B0'], [1]],
    ['regex', ['/спасибо\\?.*=я$'], [5]],
    ['eq', [`https://пример.рф/спасибо?q=${'чай'.normalize('NFD')}`], [1]],
    ['contains', ['/чай'], [6]],
    ['contains', ['чай'], [1, 6]],
    ['contains', ['чай'.normalize('NFD')], [1, 6]],
    ['regex', ['[=/]чай'.normalize('NFD')], [1, 6]],
    ['in', [`https://${'йод'.normalize('NFD')}.рф/чай`], [6]],
    ['eq', ['https://shop.example/go?to=https://пример.рф/'], [7]],
    ['in', ['https://shop.example/go?to=https://пример.рф/'], [7]],
    ['eq', ['https://shop.example/go?to=https%3A%2F%2Fпример.рф/'], [7]],
    ['eq', ['https://shop.example/go?host=пример.рф'], [8]],
  ])('select pages by the address: %s %j', async (op, values, pages) => {
    expect(await pagesOf(url, op, ...values)).toEqual(pages);
  });

  it.each<[Filter['op'], string[], number[]]>([
    ['eq', ['/спасибо'], [0, 1, 5]],
    ['in', ['/спасибо/', '/thanks'], [0, 1, 2, 5]],
    ['regex', ['^/спасибо$'], [0, 5]],
  ])('select pages by the path: %s %j', async (op, values, pages) => {
    expect(await pagesOf(path, op, ...values)).toEqual(pages);
  });

  it.each<[Filter['op'], string[], number[]]>([
    ['eq', ['пример.рф'], [0, 1]],
    ['eq', [HOST], [0, 1]],
    ['neq', ['пример.рф'], [2, 3, 4, 5, 6, 7, 8]],
    ['eq', ['हिन्दी.example'], [4]],
    ['contains', ['हिन्दी'], [4]],
    ['contains', ['рф'], [0, 1, 6]],
    ['eq', ['йод.рф'.normalize('NFD')], [6]],
  ])('select pages by the domain: %s %j', async (op, values, pages) => {
    expect(await pagesOf(domain, op, ...values)).toEqual(pages);
  });
});

it.each<[string, (host: string) => string]>([
  ['page_domain', (host) => host],
  ['page_url', (host) => `https://${host}/чай`],
])('a list of %s may name a hundred hosts that are not ASCII', async (dimension, valueOf) => {
  const others = Array.from({ length: 99 }, (_, n) => `магазин${n}.рф`);
  expect(await pagesOf(dimension, 'in', ...[...others, 'йод.рф'].map(valueOf))).toEqual([6]);
});

/** Different letters, whose conversion to Punycode takes quadratic time. */
const manyLetters = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, (_, n) => 0x4e00 + n));

it.each([
  ['a long word in ASCII', ['a'.repeat(50_000)]],
  ['long words in other letters', Array.from({ length: 100 }, () => manyLetters(5_000))],
])('filters of addresses are compiled in linear time: %s', async (_name, values) => {
  const filter: Filter = { dimension: 'page_url', op: 'in', values };
  expect(await cpuMsOf(() => matchesAddress(raw('page_url'), filter, true))).toBeLessThan(1_000);
});

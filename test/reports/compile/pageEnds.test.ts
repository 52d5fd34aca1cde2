/** Entrances and exits by each dimension of pages, each alone in its report: visits may store the page or not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hitRow, visitRow } from '../../support/lake/lake.ts';
import { createWorld, type World } from './world.ts';

const NOON = Date.UTC(2026, 2, 10, 12);
/** The first and the last page of the only visit. */
const PAGES = [
  { page_domain: 'one.example', page_path: '/a/b/c/d', page_title: 'One', query: '?q=1' },
  { page_domain: 'two.example', page_path: '/e/f/g/h', page_title: 'Two', query: '' },
].map(({ query, ...page }) => ({ ...page, page_url: `https://${page.page_domain}${page.page_path}${query}` }));

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const [first, last] = PAGES;
  if (!first || !last) throw new Error('a page is gone');
  const visit = visitRow({
    started_at: NOON,
    entry_url: first.page_url,
    entry_domain: first.page_domain,
    entry_path: first.page_path,
    exit_url: last.page_url,
    exit_path: last.page_path,
  });
  const { visit_id, visitor_id } = visit;
  await world.put({
    visits: [visit],
    hits: PAGES.map((page, minute) =>
      hitRow({ ...page, visit_id, visitor_id, visit_started_at: NOON, at: NOON + minute * 60_000 }),
    ),
  });
});
afterAll(async () => world?.close());

describe('the first page has the entrance and the last one the exit, and both have a row', () => {
  // proves: report-metrics/pages
  it.each([
    ['page_url', 'https://one.example/a/b/c/d?q=1', 'https://two.example/e/f/g/h'],
    ['page_path', '/a/b/c/d', '/e/f/g/h'],
    ['page_domain', 'one.example', 'two.example'],
    ['page_title', 'One', 'Two'],
    ['page_path_level1', '/a/', '/e/'],
    ['page_path_level2', '/a/b/', '/e/f/'],
    ['page_path_level3', '/a/b/c/', '/e/f/g/'],
  ])('by %s', async (dimension, first, last) => {
    const rowsOf = async (metric: string): Promise<unknown> =>
      (await world.report({ dimensions: [dimension], metrics: [metric] })).rows;
    expect(await rowsOf('entrances')).toEqual([
      [[first], [1]],
      [[last], [0]],
    ]);
    expect(await rowsOf('exits')).toEqual([
      [[last], [1]],
      [[first], [0]],
    ]);
  });
});

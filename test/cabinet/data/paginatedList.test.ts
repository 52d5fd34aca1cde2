/** Lists that are read whole. */
import { expect, it } from '@jest/globals';
import { readAll } from '../../../cabinet/src/data/paginatedList.ts';

it('a list of more than one answer is read to its end, in its order', async () => {
  const pages = new Map([
    ['', { items: ['a', 'b'], next_cursor: 'second' }],
    ['second', { items: ['c'], next_cursor: 'third' }],
    ['third', { items: [], next_cursor: null }],
  ]);
  const asked: object[] = [];
  const all = await readAll(async (query) => {
    asked.push(query);
    const data = pages.get(query.cursor ?? '');
    if (!data) throw new Error(`no page at ${query.cursor}`);
    return { data };
  });
  expect(all).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([{ limit: 500 }, { limit: 500, cursor: 'second' }, { limit: 500, cursor: 'third' }]);
});

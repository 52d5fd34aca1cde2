import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  clientOf,
  createTestProject,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let project: TestProject;
let call: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});
beforeEach(async () => {
  project = await createTestProject(database.pool);
  call = clientOf(api.content, project.key);
});

const write = (ids: string[]) =>
  call('POST', '/items/batch', { operations: ids.map((id) => ({ op: 'put', id, data: { type: 'text', title: id } })) });
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
async function walk(query: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 1; ; pages += 1) {
    const { status, body } = await call('GET', `/items?${query}${cursor}`);
    expect(status).toBe(200);
    ids.push(...idsOf(body.items));
    if (body.next_cursor === null) return { ids, pages };
    expect(body.next_cursor.length).toBeLessThanOrEqual(512);
    cursor = `&cursor=${body.next_cursor}`;
  }
}

describe('GET /items', () => {
  // proves: read/ItemListResponse, items/list
  it('walks all items once, in pages of 100 or the requested size', async () => {
    const ids = Array.from({ length: 205 }, (_, n) => `${'🙂'.repeat(180)}${n}`);
    await write(ids);
    const { ids: seen, pages } = await walk('');
    expect(pages).toBe(3);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen).toHaveLength(205);
    expect((await walk('limit=50')).ids).toEqual(seen);
    expect((await walk('limit=500')).pages).toBe(1);
    expect((await walk('limit=205')).pages).toBe(1);
    expect((await call('GET', '/items')).body.items[0]).toEqual({
      id: seen[0],
      status: 'queued',
      available: true,
      deleted: false,
      updated_at: expect.stringMatching(/^2\d{3}-.*Z$/),
    });
  });

  // proves: items/list
  it('shows an item once more if it changes during the walk', async () => {
    await write(['a', 'b', 'c']);
    const first = (await call('GET', '/items?limit=2')).body;
    const [changed] = idsOf(first.items);
    await call('DELETE', `/items/${changed}`);
    const rest = (await call('GET', `/items?limit=2&cursor=${first.next_cursor}`)).body;
    expect(rest.items.at(-1)).toMatchObject({ id: changed, deleted: true });
    expect(rest.next_cursor).toBeNull();
  });

  // proves: items/list
  it('filters, also across pages', async () => {
    await write(['a', 'b', 'c', 'd']);
    const [{ updated_at: since }] = (await call('GET', '/items')).body.items.slice(-1);
    await call('POST', '/items/batch', {
      operations: [
        { op: 'patch', id: 'b', data: { available: false } },
        { op: 'delete', id: 'c' },
      ],
    });
    expect(idsOf((await call('GET', '/items?available=false')).body.items)).toEqual(['b']);
    expect((await walk('available=true&limit=1')).ids).toHaveLength(3);
    expect((await walk('status=queued&limit=3')).ids).toHaveLength(4);
    expect((await walk('status=ready')).ids).toEqual([]);
    expect((await walk(`updated_since=${since}&limit=1`)).ids.slice(-2).sort()).toEqual(['b', 'c']);
    expect((await walk('updated_since=2999-01-01T00:00:00%2B03:00')).ids).toEqual([]);
    expect((await walk('updated_since=0001-01-01T00:00:00Z&unknown=1')).ids).toHaveLength(4);
  });

  // proves: items/list, decisions-items/list-cursor
  it.each([
    'limit=0',
    'limit=501',
    'limit=1.5',
    'limit=x',
    'status=done',
    'available=1',
    'available=',
    'updated_since=2026-01-01T00:00:00',
    'updated_since=yesterday',
    'cursor=',
    'cursor=x',
    `cursor=${'A'.repeat(513)}`,
    `cursor=${Buffer.from('1.99999999999999999999').toString('base64url')}`,
    `cursor=${Buffer.from('1.9223372036854775808').toString('base64url')}`,
    `cursor=${Buffer.from('-1.5').toString('base64url')}`,
    'limit=1&limit=2',
  ])('refuses %s with 400', async (query) => {
    expect(await call('GET', `/items?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
  });

  it('accepts a cursor with the largest possible position', async () => {
    const cursor = Buffer.from('9999999999999999.9223372036854775807').toString('base64url');
    expect((await call('GET', `/items?cursor=${cursor}`)).body).toEqual({ items: [], next_cursor: null });
  });

  // proves: items/list, decisions-results/ids
  it('shows named items with any id, as they are now', async () => {
    const odd = ['статья/7', 'a,b', 'a b', 'a+b', 'a&b=c#d', '100%', '🙂'.repeat(150)];
    await write([...odd, 'a', 'b']);
    const named = (ids: string[], more = '') =>
      call('GET', `/items?ids=${ids.map((id) => encodeURIComponent(id)).join(',')}${more}`);
    const { status, body } = await named([...odd, 'nobody', 'a b']);
    expect([status, body.next_cursor]).toEqual([200, null]);
    expect(new Set(idsOf(body.items))).toEqual(new Set(odd));
    expect(body.items).toHaveLength(odd.length);
    expect(idsOf((await named(['a,b'])).body.items)).toEqual(['a,b']);
    expect(idsOf((await named(['a', 'b'], '&limit=1')).body.items).sort()).toEqual(['a', 'b']);
    expect(idsOf((await call('GET', '/items?limit=5&ids=a+b')).body.items)).toEqual(['a b']);
    await call('DELETE', '/items/a');
    expect((await named(['a'])).body.items).toMatchObject([{ id: 'a', deleted: true }]);
    expect((await named(['a', 'b'], '&status=ready')).body.items).toEqual([]);
    await call('PATCH', '/items/b', { available: false });
    expect(idsOf((await named(['a', 'b'], '&available=false')).body.items)).toEqual(['b']);
    expect(idsOf((await named(['a', 'b'], '&available=true&status=queued')).body.items)).toEqual(['a']);
    const { updated_at: since } = (await named(['b'])).body.items[0];
    expect(idsOf((await named(['a', 'b'], `&updated_since=${since}`)).body.items)).toEqual(['b']);
    expect((await named(Array.from({ length: 100 }, (_, n) => `n${n}`))).body.items).toEqual([]);
    const other = await createTestProject(database.pool);
    expect((await clientOf(api.content, other.key)('GET', '/items?ids=b')).body.items).toEqual([]);
  });

  // proves: decisions-results/ids
  it.each([
    ['an empty list of ids', 'ids='],
    ['an empty id', 'ids=a,,b'],
    ['101 ids', `ids=${'a,'.repeat(100)}a`],
    ['a long id', `ids=${'a'.repeat(192)}`],
    ['an id with a NUL', 'ids=a%00'],
    ['an id of broken bytes', 'ids=%ff'],
    ['two lists of ids', 'ids=a&ids=b'],
    ['ids with a cursor', 'ids=a&cursor=1.1'],
  ])('refuses a query with %s with 400', async (_what, query) => {
    const { status, body } = await call('GET', `/items?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('keeps projects apart', async () => {
    await write(['a']);
    const other = clientOf(api.content, (await createTestProject(database.pool)).key);
    expect((await other('GET', '/items')).body.items).toEqual([]);
  });
});

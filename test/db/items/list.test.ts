import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { listItems, type ItemListFilter, type ItemListQuery, type ItemPosition } from '../../../db/items/list.ts';
import { applyItemOperations } from '../../../db/items/applyOperations.ts';
import { deleteItem, patchItem, putItem, writeItems } from '../../../db/items/writeItems.ts';
import type { ItemOperation } from '../../../domain/items/decideOperation.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestProject, textItem } from '../../support/project.ts';
import { withoutTriggers } from '../../support/unstamped.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});

const opened = new Set<pg.PoolClient>();
afterEach(() => {
  // Releases whatever a failed test left open.
  for (const client of opened) client.release(true);
  opened.clear();
});

const put = (id: string, title = 'T') =>
  putItem(database.pool, { projectId, itemId: id, content: textItem({ title }), origin: 'api', requestId: null });
const list = (query: Partial<ItemListQuery> = {}) =>
  listItems(database.pool, projectId, {
    status: null,
    available: null,
    since: null,
    after: null,
    limit: 100,
    ...query,
  });
const idsOf = async (query: Partial<ItemListQuery> = {}) => (await list(query)).map(({ id }) => id);

/** Opens a transaction that lasts until the test ends it. */
async function open(): Promise<{
  client: pg.PoolClient;
  put(id: string): Promise<void>;
  end(how: 'commit' | 'rollback'): Promise<void>;
}> {
  const client = await database.pool.connect();
  await client.query('begin');
  opened.add(client);
  return {
    client,
    async put(id) {
      const operation: ItemOperation = {
        op: 'put',
        id,
        content: textItem({ title: `by a slow one ${Math.random()}` }),
      };
      await applyItemOperations(client, { projectId, origin: 'api', priority: PRIORITY.single, requestId: null }, [
        operation,
      ]);
    },
    async end(how) {
      opened.delete(client);
      await client.query(how);
      client.release();
    },
  };
}

/** Reads every page from a position on. */
async function follow(
  after: ItemPosition | null,
  limit: number,
): Promise<{ ids: string[]; after: ItemPosition | null }> {
  const ids: string[] = [];
  let position = after;
  for (;;) {
    const page = await list({ after: position, limit });
    ids.push(...page.map(({ id }) => id));
    position = page.at(-1)?.position ?? position;
    if (page.length < limit) return { ids, after: position };
  }
}

describe('the list', () => {
  // proves: items/list
  it('is ordered by the last change and includes deleted items', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    await put('a', 'changed');
    await deleteItem(database.pool, { projectId, itemId: 'b' });
    expect((await list()).map(({ id, deleted }) => [id, deleted])).toEqual([
      ['c', false],
      ['a', false],
      ['b', true],
    ]);
  });

  it('does not move an item when nothing changes', async () => {
    await put('a');
    await put('b');
    await put('a');
    await patchItem(database.pool, { projectId, itemId: 'a', patch: { title: 'T' }, requestId: null });
    expect(await idsOf()).toEqual(['a', 'b']);
  });

  it('applies its filters, and the filter by time includes the exact moment', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await put(id);
    await patchItem(database.pool, { projectId, itemId: 'b', patch: { available: false }, requestId: null });
    await withoutTriggers(
      database.pool,
      `update items set status = 'failed' where project_id = $1 and id in ('b', 'c')`,
      [projectId],
    );
    await withoutTriggers(
      database.pool,
      `update items set updated_at = '2026-01-01T00:00:00.000001Z' where project_id = $1 and id = 'a'`,
      [projectId],
    );
    await withoutTriggers(
      database.pool,
      `update items set updated_at = '2026-01-01T00:00:00.000Z' where project_id = $1 and id = 'd'`,
      [projectId],
    );
    expect(await idsOf({ status: 'failed' })).toEqual(['c', 'b']);
    expect(await idsOf({ status: 'failed', available: false })).toEqual(['b']);
    expect(await idsOf({ available: true })).toEqual(['d', 'a', 'c']);
    expect(await idsOf({ since: new Date('2026-01-01T00:00:00.000Z') })).toEqual(['d', 'a', 'c', 'b']);
    expect(await idsOf({ since: new Date('2026-01-01T00:00:00.001Z') })).toEqual(['c', 'b']);
    expect(await idsOf({ since: new Date('2026-01-01T00:00:00.001Z'), after: { micros: 0n, hash: 0n } })).toEqual([
      'c',
      'b',
    ]);
  });

  it('comes page by page without gaps or repeats, even within one microsecond', async () => {
    await writeItems(
      database.pool,
      { projectId, origin: 'api', priority: 4, requestId: null },
      Array.from({ length: 40 }, (_, n) => ({ op: 'put' as const, id: `${'ё'.repeat(180)}${n}`, content: textItem() })),
    );
    await withoutTriggers(
      database.pool,
      `update items set updated_at = '2026-01-01T00:00:00.000001Z'::timestamptz + (hashtext(id) & 3) * interval '1 microsecond' where project_id = $1`,
      [projectId],
    );
    for (const limit of [1, 3, 7]) {
      const { ids } = await follow(null, limit);
      expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
    }
  });

  it('reads nothing but its index, whatever it filters by (docs/decisions/item-list.md)', async () => {
    await database.pool.query(
      `insert into items (project_id, id, type, published_at, origin, available, deleted, revision, status, steps, created_at, updated_at)
       select $1, 'item-' || n, 'text', now(), 'api', true, false, 1, 'ready', '{}', now(), now() from generate_series(1, 5000) n`,
      [projectId],
    );
    await database.pool.query('vacuum analyze items');
    const plans: string[] = [];
    const explaining = {
      query: async (text: string | pg.QueryConfig, values: unknown[]) => {
        if (typeof text !== 'string') return database.pool.query(text);
        const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return { rows: [] };
      },
    };
    const every: { [Filter in keyof ItemListFilter]: NonNullable<ItemListFilter[Filter]> } = {
      since: new Date(0),
      status: 'ready',
      available: true,
    };
    await listItems(explaining as never, projectId, { ...every, after: null, limit: 100 });
    expect(plans).toEqual([expect.stringContaining('Index Only Scan using items_by_')]);
  });

  it('keeps projects apart', async () => {
    await put('mine');
    expect(
      await listItems(database.pool, await createTestProject(database.pool), {
        status: null,
        available: null,
        since: null,
        after: null,
        limit: 10,
      }),
    ).toEqual([]);
  });
});

describe('writers that commit out of order', () => {
  // proves: decisions-items/list-order
  it('hold back the list until they have committed, and nobody waits', async () => {
    await put('before');
    const slow = await open();
    await slow.put('slow');
    await put('after');
    expect(await idsOf()).toEqual(['before']);
    await slow.end('commit');
    expect(await idsOf()).toEqual(['before', 'slow', 'after']);
  });

  // proves: decisions-items/list-order
  it('no longer hold it back when they roll back or are ended by the server', async () => {
    await put('before');
    const slow = await open();
    await slow.put('given up');
    const hung = await open();
    await hung.put('hung');
    await put('after');
    await slow.end('rollback');
    expect(await idsOf()).toEqual(['before']);
    const { rows } = await hung.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = new Promise((resolve) => hung.client.once('end', resolve));
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    opened.delete(hung.client);
    hung.client.release(true);
    expect(await idsOf()).toEqual(['before', 'after']);
  });

  it('take one lock for all their writes, and take it again after a rollback to a savepoint has released it', async () => {
    const locks = async (client: pg.PoolClient) =>
      (
        await client.query<{ locks: number }>(
          `select count(*)::int as locks from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
        )
      ).rows[0]?.locks;
    const slow = await open();
    for (const id of ['a', 'b', 'c']) await slow.put(id);
    expect(await locks(slow.client)).toBe(1);
    await slow.end('rollback');
    const other = await open();
    await other.client.query('savepoint s');
    await other.put('a');
    await other.client.query('rollback to savepoint s');
    expect(await locks(other.client)).toBe(0);
    await other.put('b');
    expect(await locks(other.client)).toBe(1);
    await put('after');
    expect(await idsOf()).toEqual([]);
    await other.end('commit');
    expect(await idsOf()).toEqual(['b', 'after']);
  });

  it('are told apart from transactions that hold other advisory locks', async () => {
    const slow = await open();
    await slow.client.query('select pg_advisory_xact_lock_shared(1), pg_advisory_xact_lock_shared(1, 2)');
    await put('a');
    expect(await idsOf()).toEqual(['a']);
    await slow.end('rollback');
  });

  // proves: decisions-items/list-order
  it('never make a reader that follows the list miss a change, whatever they do at once', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `i${n}`);
    const seen = new Map<string, string>();
    let writing = true;
    let after: ItemPosition | null = null;
    let pages = 0;
    const readOn = async (): Promise<void> => {
      const page = await list({ after, limit: 5 });
      pages += 1;
      after = page.at(-1)?.position ?? after;
      if (page.length === 0) return;
      const { rows } = await database.pool.query<{ id: string; title: string }>(
        'select id, title from items where project_id = $1 and id = any($2)',
        [projectId, page.map(({ id }) => id)],
      );
      for (const { id, title } of rows) seen.set(id, title);
    };
    const reader = (async () => {
      while (writing) await readOn();
    })();
    const writer = async (name: number): Promise<void> => {
      for (let turn = 0; turn < 25; turn += 1) {
        const slow = await open();
        for (let n = 0; n < 1 + (turn % 3); n += 1) await slow.put(ids[(turn * 7 + name * 11 + n) % ids.length] ?? '');
        // Holds its stamped rows for a few round trips.
        for (let n = 0; n < (turn * name) % 5; n += 1) await slow.client.query('select 1');
        await slow.end(turn % 6 === 5 ? 'rollback' : 'commit');
      }
    };
    const results = await Promise.allSettled(Array.from({ length: 6 }, (_, name) => writer(name)));
    writing = false;
    await reader;
    for (let size = -1; size !== seen.size;) {
      size = seen.size;
      await readOn();
      if ((await list({ after, limit: 1 })).length > 0) size = -1;
    }
    const { rows } = await database.pool.query<{ id: string; title: string }>(
      'select id, title from items where project_id = $1',
      [projectId],
    );
    expect(pages).toBeGreaterThan(5);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(6);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(rows.map(({ id, title }) => [id, title])));
  });
});

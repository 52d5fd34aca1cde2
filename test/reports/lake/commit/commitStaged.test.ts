import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { nextBatchId, stageRows } from '../../../../db/lake/batches.ts';
import { LOCK_KEYS } from '../../../../db/lockKeys.ts';
import { inTransaction } from '../../../../db/pool.ts';
import type { LakeRows } from '../../../../domain/reports/lakeRows.ts';
import { commitStaged } from '../../../../reports/lake/commit/commitStaged.ts';
import { openLake, type Lake } from '../../../../reports/lake/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  conversionRow,
  hitRow,
  NOON,
  openTestLake,
  orderLineRow,
  orderRow,
  visitRow,
  type TestLake,
} from '../../../support/lake/lake.ts';

let database: TestDatabase;
let test: TestLake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
});
afterAll(async () => {
  await test?.close();
  await database.drop();
});

const stage = (shard: number, rows: Partial<LakeRows>): Promise<string> =>
  inTransaction(database.pool, async (client) => {
    const batchId = await nextBatchId(client);
    await stageRows(client, shard, batchId, rows);
    return batchId;
  });
const commit = (...shards: number[]) => commitStaged(test.lake, database.pool, shards);
const count = async (table: string, where = 'true'): Promise<number> =>
  Number((await test.lake.query<{ n: bigint }>(`select count(*) as n from lake.${table} where ${where}`))[0]?.n);
const staged = async (): Promise<number> =>
  (await database.pool.query<{ n: number }>('select count(*)::int as n from lake_batches')).rows[0]?.n ?? -1;

describe('commitStaged', () => {
  it('puts rows of every table into the lake as they were staged', async () => {
    const [hit, visit, conversion] = [
      hitRow({ site_id: 'exact0000001', depth: 55, viewport_width: 390, document_height: 5000 }),
      visitRow({ site_id: 'exact0000001', previous_visit_at: NOON - 1 }),
      conversionRow({ site_id: 'exact0000001', value: 0.1 }),
    ];
    await stage(0, {
      hits: [hit],
      visits: [visit],
      conversions: [conversion],
      orders: [orderRow({ site_id: 'exact0000001', revenue: 12345678901.23 })],
      order_lines: [orderLineRow({ site_id: 'exact0000001' })],
    });
    expect(await commit(0, 1)).toEqual({ batches: 1, rows: 5, refused: 0 });
    const [inLake] = await test.lake.query(
      `select h.*, l.* exclude (site_id, hit_id, visit_started_at) from lake.hits h
       left join lake.hit_layouts l on l.site_id = h.site_id and l.hit_id = h.hit_id where h.site_id = 'exact0000001'`,
    );
    expect(inLake).toEqual({ ...hit, at: new Date(hit.at), visit_started_at: new Date(hit.visit_started_at) });
    const [visited] = await test.lake.query(`select * from lake.visits where site_id = 'exact0000001'`);
    const times = {
      started_at: new Date(NOON),
      ended_at: new Date(NOON + 60_000),
      first_visit_at: new Date(NOON),
      previous_visit_at: new Date(NOON - 1),
    };
    expect(visited).toEqual({ ...visit, ...times });
    expect(
      await test.lake.query(
        `select value::VARCHAR as value, "at" from lake.conversions where site_id = 'exact0000001'`,
      ),
    ).toEqual([{ value: '0.100000', at: new Date(NOON) }]);
    expect(
      await test.lake.query(
        `select revenue::VARCHAR as revenue, is_full_refund from lake.orders where site_id = 'exact0000001'`,
      ),
    ).toEqual([{ revenue: '12345678901.230000', is_full_refund: null }]);
    expect(await staged()).toBe(0);
  });

  it('commits only the batches of its shards, in any number, and nothing if nothing is staged', async () => {
    for (let i = 0; i < 5; i += 1)
      await stage(2, { hits: [hitRow({ site_id: 'shard0000002' }), hitRow({ site_id: 'shard0000002' })] });
    await stage(3, { hits: [hitRow({ site_id: 'shard0000002' })] });
    expect(await commit(2)).toEqual({ batches: 5, rows: 10, refused: 0 });
    expect(await count('hits', `site_id = 'shard0000002'`)).toBe(10);
    expect(await commit(2)).toEqual({ batches: 0, rows: 0, refused: 0 });
    expect(await commit(3)).toEqual({ batches: 1, rows: 1, refused: 0 });
  });

  it('commits a backlog of many hundreds of batches in full', async () => {
    const rows = (n: number): Partial<LakeRows> => ({
      visits: [visitRow({ site_id: 'backlog00001', pageviews: n })],
      order_lines: [orderLineRow({ site_id: 'backlog00001', transaction_id: `t${n}` })],
    });
    for (let n = 0; n < 1_200; n += 1) await stage(10, rows(n));
    const lake = await openLake({ ...test.settings, threads: 2 });
    expect(await commitStaged(lake, database.pool, [10])).toEqual({ batches: 1_200, rows: 2_400, refused: 0 });
    await lake.close();
    expect([
      await count('visits', `site_id = 'backlog00001'`),
      await count('order_lines', `site_id = 'backlog00001'`),
    ]).toEqual([1_200, 1_200]);
  });

  it.each(['\ud83d', '\ude00', '\0'])('sets aside only the row with a text that is not Unicode: %j', async (text) => {
    const site_id = `unpaired${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
    await stage(11, { hits: [hitRow({ site_id }), hitRow({ site_id, referrer: `https://a.test/${text}` })] });
    await stage(11, { hits: [hitRow({ site_id })] });
    await commit(11);
    expect(await staged()).toBe(0);
    expect(await count('hits', `site_id = '${site_id}' and referrer is null`)).toBe(2);
  });

  it('commits all rows that are staged under one batch id in several steps', async () => {
    await inTransaction(database.pool, async (client) => {
      const batchId = await nextBatchId(client);
      for (let i = 0; i < 3; i += 1)
        await stageRows(client, 4, batchId, {
          hits: [hitRow({ site_id: 'added0000001', page_title: `],[${i}` })],
          visits: [],
        });
    });
    expect(await commit(4)).toEqual({ batches: 1, rows: 3, refused: 0 });
    expect(await count('hits', `site_id = 'added0000001'`)).toBe(3);
  });

  // proves: decisions-storage/late
  it('replaces a visit as a whole, within a commit and across commits, even if its start moved', async () => {
    const first = visitRow({ site_id: 'moved0000001', pageviews: 1 });
    await stage(5, { visits: [first] });
    await commit(5);
    await stage(5, { visits: [{ ...first, pageviews: 2 }] });
    await stage(5, {
      visits: [
        { ...first, started_at: NOON - 29 * 60_000, pageviews: 3 },
        { ...first, started_at: NOON - 29 * 60_000, pageviews: 4 },
      ],
    });
    await commit(5);
    expect(
      await test.lake.query(`select pageviews, started_at from lake.visits where site_id = 'moved0000001'`),
    ).toEqual([{ pageviews: 4, started_at: new Date(NOON - 29 * 60_000) }]);
  });

  it('replaces the lines of an order all at once, even with none', async () => {
    const key = { site_id: 'lines0000001', transaction_id: 't7' };
    await stage(5, {
      orders: [orderRow(key)],
      order_lines: [
        orderLineRow({ ...key, line: 1 }),
        orderLineRow({ ...key, line: 2 }),
        orderLineRow({ ...key, line: 3 }),
      ],
    });
    await commit(5);
    await stage(5, {
      orders: [orderRow(key)],
      order_lines: [orderLineRow({ ...key, line: 1 }), orderLineRow({ ...key, line: 2 })],
    });
    await stage(5, { orders: [orderRow(key)], order_lines: [orderLineRow({ ...key, line: 1 })] });
    await commit(5);
    expect([
      await count('orders', `site_id = 'lines0000001'`),
      await count('order_lines', `site_id = 'lines0000001'`),
    ]).toEqual([1, 1]);
    await stage(5, { orders: [orderRow(key)] });
    await commit(5);
    expect([
      await count('orders', `site_id = 'lines0000001'`),
      await count('order_lines', `site_id = 'lines0000001'`),
    ]).toEqual([1, 0]);
  });

  it('does not put lines into the lake that an order lost before the commit', async () => {
    const key = { site_id: 'lines0000003', transaction_id: 't8' };
    const other = { site_id: 'lines0000003', transaction_id: 't9' };
    const lines = (count: number): LakeRows['order_lines'] =>
      Array.from({ length: count }, (_, line) => orderLineRow({ ...key, line }));
    await stage(5, { orders: [orderRow(key)], order_lines: lines(2) });
    await stage(5, { orders: [orderRow(key)], order_lines: lines(3) });
    await stage(5, {
      orders: [orderRow(key), orderRow(other)],
      order_lines: [orderLineRow({ ...other, line: 0 })],
    });
    await commit(5);
    expect(
      await test.lake.query(
        `select o.transaction_id, count(l.line)::INTEGER as lines from lake.orders o left join lake.order_lines l
           on l.site_id = o.site_id and l.transaction_id = o.transaction_id
          where o.site_id = 'lines0000003' group by 1 order by 1`,
      ),
    ).toEqual([
      { transaction_id: 't8', lines: 0 },
      { transaction_id: 't9', lines: 1 },
    ]);
  });

  it('sets aside rows that the lake cannot hold, and commits all others', async () => {
    const good = Array.from({ length: 40 }, () => hitRow({ site_id: 'poison000001' }));
    const bad = [
      { ...hitRow({ site_id: 'poison000001' }), hit_id: 'no uuid' },
      { ...hitRow({ site_id: 'poison000001' }), at: null as unknown as number },
      { ...hitRow({ site_id: 'poison000001' }), visitor_bucket: 99_999 },
    ];
    await stage(6, {
      hits: [
        ...good.slice(0, 13),
        bad[0] ?? good[0],
        ...good.slice(13, 30),
        ...bad.slice(1),
        ...good.slice(30),
      ] as LakeRows['hits'],
    });
    await stage(6, {
      conversions: [{ ...conversionRow({ site_id: 'poison000001' }), value: 'a lot' as unknown as number }],
    });
    await stage(6, { visits: [visitRow({ site_id: 'poison000001' })] });
    expect(await commit(6)).toEqual({ batches: 2, rows: 41, refused: 4 });
    expect(await count('hits', `site_id = 'poison000001'`)).toBe(40);
    expect(await count('visits', `site_id = 'poison000001'`)).toBe(1);
    const { rows } = await database.pool.query(
      `select table_name, row::json ->> 'hit_id' as hit_id, error from lake_failed where site_id = 'poison000001' order by id`,
    );
    expect(rows.map((row: { table_name: string }) => row.table_name)).toEqual(['hits', 'hits', 'hits', 'conversions']);
    expect(rows[0]).toEqual({
      table_name: 'hits',
      hit_id: 'no uuid',
      error: expect.stringMatching(/^(Conversion|Invalid Input) Error.*\(rows of hits\)$/),
    });
    // The error contains no value of the row.
    for (const { error } of rows as { error: string }[]) expect(error).not.toMatch(/no uuid|a lot|99999/);
    expect(await staged()).toBe(0);
  });

  it('sets aside many rows, although that takes longer than PostgreSQL lets a session be idle', async () => {
    const site = 'poison000002';
    const impatient = new pg.Pool({ connectionString: database.url, idle_in_transaction_session_timeout: 500 });
    impatient.on('connect', (client) => client.on('error', () => {}));
    const bad = Array.from({ length: 300 }, () => ({ ...hitRow({ site_id: site }), hit_id: 'no uuid' }));
    await stage(6, { hits: [...bad, hitRow({ site_id: site })] });
    const started = performance.now();
    expect(await commitStaged(test.lake, impatient, [6])).toMatchObject({ rows: 1, refused: 300 });
    expect(performance.now() - started).toBeGreaterThan(500);
    await impatient.end();
  });

  it.each([
    ['anna\nno uuid'],
    ['anna\nLINE 1: no uuid'],
    [`anna'anna\nLINE 1: no uuid`],
    ['anna"anna\nLINE 1: no uuid'],
    [`anna\nLINE 1: 'no uuid" or "no uuid'`],
  ])('does not store a value of several lines with the error of its row: %j', async (value) => {
    const site = 'lines0000002';
    await database.pool.query('delete from lake_failed where site_id = $1', [site]);
    await stage(6, { hits: [hitRow({ site_id: site }), { ...hitRow({ site_id: site }), hit_id: value }] });
    expect(await commit(6)).toMatchObject({ rows: 1, refused: 1 });
    const { rows } = await database.pool.query<{ error: string }>('select error from lake_failed where site_id = $1', [
      site,
    ]);
    expect(rows).toEqual([{ error: expect.stringMatching(/^(Conversion|Invalid Input) Error.*\(rows of hits\)$/) }]);
    expect(rows[0]?.error).not.toMatch(/anna|no uuid/);
  });

  // proves: decisions-storage/batch-id
  it('refuses to work if nothing ties its commit to the staged batches', async () => {
    await stage(7, { hits: [hitRow()] });
    await database.pool.query('alter table lake.ducklake_snapshot_changes disable trigger lake_commit');
    await expect(commit(7)).rejects.toThrow('trigger lake_commit is missing');
    await database.pool.query('alter table lake.ducklake_snapshot_changes enable trigger lake_commit');
    expect(await commit(7)).toMatchObject({ rows: 1 });
  });

  it('continues if another writer never ends its turn', async () => {
    await stage(9, { hits: [hitRow({ site_id: 'turns0000001' })] });
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock($1)', [LOCK_KEYS.lakeTurn]);
    expect(await commit(9)).toMatchObject({ rows: 1 });
    await holder.query('rollback');
    holder.release();
  });

  it('repeats work that began so long ago that the lake may have forgotten what happened since', async () => {
    await stage(9, { hits: [hitRow({ site_id: 'late00000001' })] });
    let tries = 0;
    const slow: Lake = {
      ...test.lake,
      withConnection: (work) =>
        test.lake.withConnection((connection) =>
          work({
            ...connection,
            query: (sql, params) =>
              connection.query(isSlow(sql) ? sql.replace(/"begun":[\d.]+/, '"begun":1') : sql, params),
          }),
        ),
    };
    const isSlow = (sql: string): boolean => sql.includes('set_commit_message') && (tries += 1) === 1;
    expect(await commitStaged(slow, database.pool, [9])).toMatchObject({ rows: 1 });
    expect([tries, await count('hits', `site_id = 'late00000001'`)]).toEqual([2, 1]);
  });

  // proves: decisions-storage/once
  it('writes a batch once, even if several writers commit it at the same time', async () => {
    const other = await openLake({ ...test.settings, tempDir: `${test.settings.tempDir}-other` });
    for (let round = 0; round < 6; round += 1) {
      const batches = 8;
      for (let i = 0; i < batches; i += 1)
        await stage(8, {
          hits: [hitRow({ site_id: `twice000000${round}` })],
          visits: [visitRow({ site_id: `twice000000${round}` })],
        });
      const results = await Promise.all([
        commit(8),
        commitStaged(other, database.pool, [8]),
        commit(8),
        commitStaged(other, database.pool, [8]),
      ]);
      expect(results.reduce((sum, { rows }) => sum + rows, 0)).toBe(2 * batches);
      expect([
        await count('hits', `site_id = 'twice000000${round}'`),
        await count('visits', `site_id = 'twice000000${round}'`),
      ]).toEqual([batches, batches]);
    }
    await other.close();
    expect(await staged()).toBe(0);
  });
});

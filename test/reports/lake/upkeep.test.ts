import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { LakeRows } from '../../../domain/reports/lakeRows.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import { mergeFiles, removeOldFiles, removeOrphans } from '../../../reports/lake/upkeep/mergeFiles.ts';
import { deletePastRetention, deletePeopleRows } from '../../../reports/lake/upkeep/deleteRows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  conversionRow,
  hitRow,
  NOON,
  openTestLake,
  orderLineRow,
  orderRow,
  visitRow,
  type TestLake,
} from '../../support/lake/lake.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const VISITOR = '0190aaaa-0000-7000-8000-000000000001';

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

const put = async (rows: Partial<LakeRows>, shard = 0): Promise<void> => {
  await inTransaction(database.pool, async (client) => stageRows(client, shard, await nextBatchId(client), rows));
  await commitStaged(test.lake, database.pool, [shard]);
};
const count = async (table: string, where = 'true'): Promise<number> =>
  Number((await test.lake.query<{ n: bigint }>(`select count(*) as n from lake.${table} where ${where}`))[0]?.n);
const files = async (table: string): Promise<number> =>
  (await test.lake.query(`from ducklake_list_files('lake', '${table}')`)).length;
const parquetFiles = async (): Promise<number> => {
  const dir = test.settings.data.kind === 'local' ? test.settings.data.dir : '';
  return (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.parquet')).length;
};
/** Moves the lake's snapshots and scheduled deletions into the past. */
const age = async (minutes: number): Promise<void> => {
  await database.pool.query(
    `update lake.ducklake_snapshot set snapshot_time = snapshot_time - make_interval(mins => $1)`,
    [minutes],
  );
  await database.pool.query(
    `update lake.ducklake_files_scheduled_for_deletion set schedule_start = schedule_start - make_interval(mins => $1)`,
    [minutes],
  );
};

describe('mergeFiles', () => {
  // proves: decisions-storage/folder
  it('makes one sorted file of many small ones, which removeOldFiles removes once nobody can read them', async () => {
    const hits = (from: number) =>
      Array.from({ length: 20 }, (_, i) => hitRow({ site_id: `merge000000${i % 3}`, at: NOON + (from + i) * MINUTE }));
    for (let i = 0; i < 10; i += 1) await put({ hits: hits(i * 20) });
    expect(await files('hits')).toBe(10);
    expect(await mergeFiles(test.lake, database.pool)).toEqual({ merged: 10, made: 1 });
    expect([await files('hits'), await count('hits'), await parquetFiles()]).toEqual([1, 200, 11]);
    const rows = await test.lake.query<{ site_id: string; visit_started_at: Date }>(
      `select site_id, visit_started_at from lake.hits`,
    );
    const keys = rows.map((row) => `${row.site_id} ${row.visit_started_at.toISOString()}`);
    expect(keys).toEqual([...keys].sort());
    expect(await removeOldFiles(test.lake)).toEqual({ files: 0 });
    await age(16);
    expect((await removeOldFiles(test.lake)).files).toBe(10);
    expect([await count('hits'), await parquetFiles()]).toEqual([200, 1]);
  });

  it('leaves a small number of files alone', async () => {
    for (let i = 0; i < 5; i += 1) await put({ conversions: [conversionRow()] });
    expect(await mergeFiles(test.lake, database.pool)).toEqual({ merged: 0, made: 0 });
    expect(await files('conversions')).toBe(5);
  });

  it('rewrites a file with many deleted rows', async () => {
    const visits = Array.from({ length: 10 }, () => visitRow({ site_id: 'torn00000001' }));
    await put({ visits });
    await put({ visits: visits.slice(0, 3).map((visit) => ({ ...visit, pageviews: 9 })) });
    expect(await mergeFiles(test.lake, database.pool)).toEqual({ merged: 1, made: 1 });
    expect([
      await count('visits', `site_id = 'torn00000001'`),
      await count('visits', `site_id = 'torn00000001' and pageviews = 9`),
    ]).toEqual([10, 3]);
    expect(await mergeFiles(test.lake, database.pool)).toEqual({ merged: 0, made: 0 });
  });

  it('loses and duplicates nothing while commits and deletions run', async () => {
    const site = 'beside000001';
    const visits = Array.from({ length: 30 }, (_, i) => visitRow({ site_id: site, started_at: NOON + i * MINUTE }));
    let isOver = false;
    const commits = (async () => {
      for (let i = 0; i < 30; i += 1) {
        const again = i > 0 && i % 3 === 0 ? visits.slice(i - 2, i).map((visit) => ({ ...visit, hits: 100 })) : [];
        await put({
          hits: [
            hitRow({ site_id: site, at: NOON + i * MINUTE }),
            hitRow({ site_id: site, visitor_id: VISITOR, at: NOON + i * MINUTE }),
          ],
          visits: [...visits.slice(i, i + 1), ...again],
        });
      }
      isOver = true;
    })();
    const merges = (async () => {
      while (!isOver) await mergeFiles(test.lake, database.pool);
    })();
    const deletions = (async () => {
      while (!isOver)
        await deletePeopleRows(test.lake, database.pool, {
          visitors: [{ siteId: site, visitorId: VISITOR }],
          users: [],
        });
    })();
    await Promise.all([commits, merges, deletions]);
    await deletePeopleRows(test.lake, database.pool, { visitors: [{ siteId: site, visitorId: VISITOR }], users: [] });
    expect([await count('hits', `site_id = '${site}'`), await count('visits', `site_id = '${site}'`)]).toEqual([
      30, 30,
    ]);
    expect(await count('visits', `site_id = '${site}' and hits = 100`)).toBe(18);
  });
});

describe('deletePastRetention', () => {
  // proves: quotas/hits-retention
  it("removes hits and visits after 13 months or the site's own number of months, and conversions after 37", async () => {
    const now = NOON + 400 * DAY;
    const months = (n: number): number => new Date(now).setUTCMonth(new Date(now).getUTCMonth() - n);
    for (const site of ['usual0000001', 'short0000001', 'long00000001']) {
      await put({
        hits: [months(1) - DAY, months(13) - DAY, months(13) + DAY, months(30)].map((at) =>
          hitRow({ site_id: site, at, viewport_width: 390 }),
        ),
        visits: [visitRow({ site_id: site, started_at: months(13) - DAY })],
        conversions: [months(30), months(37) - DAY].map((at) => conversionRow({ site_id: site, at })),
      });
    }
    await deletePastRetention(
      test.lake,
      database.pool,
      new Map([
        [1, ['short0000001']],
        [36, ['long00000001']],
      ]),
      { now, factMonths: 37 },
    );
    const left = async (site: string) => [
      await count('hits', `site_id = '${site}'`),
      await count('hit_layouts', `site_id = '${site}'`),
      await count('visits', `site_id = '${site}'`),
      await count('conversions', `site_id = '${site}'`),
    ];
    expect([await left('usual0000001'), await left('short0000001'), await left('long00000001')]).toEqual([
      [2, 2, 0, 1],
      [0, 0, 0, 1],
      [4, 4, 1, 1],
    ]);
  });
});

describe('deletePeopleRows', () => {
  it('removes a visitor of one site from every table and, once nobody can read the old files, from every file', async () => {
    const mine = { site_id: 'erased000001', visitor_id: VISITOR };
    const others = [{ site_id: 'erased000001' }, { site_id: 'erased000002', visitor_id: VISITOR }];
    await put({
      hits: [mine, ...others].map((hit, index) => hitRow({ ...hit, viewport_width: index + 1 })),
      visits: [mine, ...others].map(visitRow),
      conversions: [conversionRow(mine), conversionRow({ site_id: 'erased000001' })],
    });
    expect(
      await deletePeopleRows(test.lake, database.pool, {
        visitors: [{ siteId: 'erased000001', visitorId: VISITOR }],
        users: [],
      }),
    ).toEqual({ rows: 4 });
    expect(
      await test.lake.query(
        `select viewport_width as width from lake.hit_layouts where site_id like 'erased%' order by width`,
      ),
    ).toEqual([{ width: 2 }, { width: 3 }]);
    expect([
      await count('hits', `site_id like 'erased%'`),
      await count('visits', `site_id like 'erased%'`),
      await count('conversions', `site_id like 'erased%'`),
    ]).toEqual([2, 2, 1]);
    // The snapshots expire first; their files are removed when the same time has passed once more.
    for (let i = 0; i < 2; i += 1) {
      await age(16);
      await removeOldFiles(test.lake);
    }
    const dir = test.settings.data.kind === 'local' ? test.settings.data.dir : '';
    for (const table of ['hits', 'visits', 'conversions']) {
      expect(
        await test.lake.query(
          `select * from read_parquet('${dir}/main/${table}/**/*.parquet', hive_partitioning = false, union_by_name = true) where site_id = 'erased000001' and visitor_id = '${VISITOR}'`,
        ),
      ).toEqual([]);
    }
    expect(
      await test.lake.query(
        `select viewport_width as width from read_parquet('${dir}/main/hit_layouts/**/*.parquet', hive_partitioning = false) where site_id = 'erased000001'`,
      ),
    ).toEqual([{ width: 2 }]);
  });
});

describe('deletePeopleRows of users', () => {
  it('removes the facts that name a user of one site, and no visits', async () => {
    const [mine, other, elsewhere] = [
      { site_id: 'users0000001', user_id: "o'neil" },
      { site_id: 'users0000001', user_id: 'oneil' },
      { site_id: 'users0000002', user_id: "o'neil" },
    ];
    const nobody = { site_id: 'users0000001', user_id: null };
    const facts = [mine, other, elsewhere, nobody];
    await put({
      visits: [visitRow(mine)],
      conversions: facts.map(conversionRow),
      orders: facts.map(orderRow),
      order_lines: facts.map((fact, index) => orderLineRow({ ...fact, transaction_id: `t${index}` })),
    });
    expect(
      await deletePeopleRows(test.lake, database.pool, {
        visitors: [],
        users: [{ siteId: 'users0000001', userId: "o'neil" }],
      }),
    ).toEqual({ rows: 3 });
    for (const table of ['conversions', 'orders', 'order_lines'] as const)
      expect([table, await count(table, `site_id like 'users%'`)]).toEqual([table, 3]);
    expect(await count('visits', `site_id = 'users0000001'`)).toBe(1);
  });
});

describe('removeOrphans', () => {
  it('removes files older than a day that no commit names, and keeps younger ones', async () => {
    const dir = test.settings.data.kind === 'local' ? test.settings.data.dir : '';
    const [known, rows] = [await parquetFiles(), await count('hits')];
    for (const [name, hours] of [
      ['young', 23],
      ['old', 25],
    ] as const) {
      const path = join(dir, 'main', 'hits', `ducklake-${name}.parquet`);
      await writeFile(path, 'of a commit that never was');
      const at = new Date(Date.now() - hours * 60 * MINUTE);
      await utimes(path, at, at);
    }
    expect(await removeOrphans(test.lake)).toEqual({ files: 1 });
    expect([await parquetFiles(), await count('hits')]).toEqual([known + 1, rows]);
    expect((await readdir(join(dir, 'main', 'hits'))).filter((name) => name.startsWith('ducklake-'))).toEqual([
      'ducklake-young.parquet',
    ]);
  });
});

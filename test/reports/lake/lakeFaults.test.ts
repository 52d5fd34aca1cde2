/** Crashes and outages around a commit to the lake, after which every row is in the lake once. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { LAYOUT_FIELDS } from '../../../domain/collect/collected.ts';
import type { HitRow } from '../../../domain/reports/lakeRows.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import { bareEnv } from '../../support/programs/bareEnv.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { hitRow, NOON, openTestLake, visitRow, type TestLake } from '../../support/lake/lake.ts';

const COMMITTER = join(import.meta.dirname, '../../support/programs/lakeCommitter.ts');

let database: TestDatabase;
let test: TestLake;
let dir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
  dir = await mkdtemp(join(tmpdir(), 'attune-committer-'));
});
afterAll(async () => {
  for (const child of children) await killed(child);
  await test?.close();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

/** @returns the number of staged batches, each of which has five hits and one visit */
async function stage(site: string, batches: number, shard = 1): Promise<number> {
  for (let i = 0; i < batches; i += 1) {
    await inTransaction(database.pool, async (client) =>
      stageRows(client, shard, await nextBatchId(client), {
        hits: Array.from({ length: 5 }, () => hitRow({ site_id: site })),
        visits: [visitRow({ site_id: site })],
      }),
    );
  }
  return batches;
}
const counts = async (site: string): Promise<number[]> => {
  const [row] = await test.lake.query<{ hits: bigint; visits: bigint }>(
    `select (select count(*) from lake.hits where site_id = '${site}') as hits, (select count(*) from lake.visits where site_id = '${site}') as visits`,
  );
  return [Number(row?.hits), Number(row?.visits)];
};
const isStagedEmpty = async (): Promise<boolean> =>
  (await database.pool.query('select from lake_batches limit 1')).rowCount === 0;

/** Starts a process that commits staged rows on command and sends itself a signal before a statement. */
async function startCommitter(statement = '', signal = ''): Promise<ChildProcess> {
  const child = fork(COMMITTER, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...bareEnv(),
      SETTINGS: JSON.stringify({ ...test.settings, tempDir: join(dir, String(children.length)) }),
      STATEMENT: statement,
      SIGNAL: signal,
    },
  });
  children.push(child);
  const [message] = (await once(child, 'message')) as [unknown];
  if (message !== 'ready') throw new Error(`the committer said ${JSON.stringify(message)}`);
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/**
 * Checks that the lake has each row of the site's staged batches once when they are no longer staged, and otherwise
 * not at all.
 */
async function expectEachOnce(site: string, staged: number): Promise<void> {
  const { rows } = await database.pool.query<{ waiting: number }>(
    'select count(distinct batch_id)::int as waiting from lake_batches where shard = 1',
  );
  const inLake = staged - (rows[0]?.waiting ?? 0);
  expect(await counts(site)).toEqual([5 * inLake, inLake]);
}

const STEPS = [
  'insert into staged_hits',
  'begin',
  'delete from lake.visits',
  'insert into lake.hits',
  'insert into lake.visits',
  'call lake.set_commit_message',
  'commit',
];

// proves: decisions-storage/once
describe('commitStaged in a process that is killed', () => {
  let staged = 0;
  const site = 'killed000001';

  it.each(STEPS)('before `%s` leaves its batches staged', async (step) => {
    staged += await stage(site, 2);
    const child = await startCommitter(step, 'SIGKILL');
    const exited = once(child, 'exit');
    child.send('commit');
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(await isStagedEmpty()).toBe(false);
    await expectEachOnce(site, staged);
  });

  it('while PostgreSQL works on its commit leaves each batch staged or in the lake', async () => {
    staged += await stage(site, 2);
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('select from lake_batches for update');
    const child = await startCommitter();
    child.send('commit');
    await eventually(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and application_name = 'attune-lake' and wait_event_type = 'Lock'`,
          )
        ).rowCount,
      'the commit waits',
    );
    await killed(child);
    await holder.query('rollback');
    holder.release();
    await eventually(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and application_name = 'attune-lake' and state <> 'idle'`,
          )
        ).rowCount === 0,
      'PostgreSQL noticed',
    );
    await expectEachOnce(site, staged);
    await commitStaged(test.lake, database.pool, [1]);
    expect(await counts(site)).toEqual([5 * staged, staged]);
  });
});

// proves: decisions-storage/once, decisions-storage/batch-id
describe('a writer that was stopped', () => {
  it.each(['insert into lake.hits', 'commit'])(
    'before `%s` adds nothing when it resumes after another has done its work',
    async (step) => {
      const site = `stopped0000${step.length}`;
      const staged = await stage(site, 3);
      const child = await startCommitter(step, 'SIGSTOP');
      child.send('commit');
      await eventually(
        async () => /^\d+ \([^)]*\) T/.test(await readFile(`/proc/${child.pid}/stat`, 'utf8')),
        'it stopped',
      );
      expect(await commitStaged(test.lake, database.pool, [1])).toMatchObject({ batches: staged });
      const answer = once(child, 'message');
      child.kill('SIGCONT');
      expect((await answer)[0]).toEqual({ batches: 0, rows: 0, refused: 0 });
      expect(await counts(site)).toEqual([15, 3]);
      await killed(child);
    },
  );
});

describe('a lake whose PostgreSQL restarts', () => {
  it('continues with the next commit', async () => {
    const site = 'returns00001';
    const other = await openLake({ ...test.settings, tempDir: join(dir, 'returns') });
    await stage(site, 1, 2);
    await commitStaged(other, database.pool, [2]);
    for (let round = 0; round < 3; round += 1) {
      await stage(site, 1, 2);
      // Ends every session, as a restart does.
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'attune-lake'`,
      );
      await eventually(
        () =>
          commitStaged(other, database.pool, [2]).then(
            () => isStagedEmpty(),
            () => false,
          ),
        'a commit after the restart',
      );
    }
    await other.close();
    expect(await counts(site)).toEqual([20, 4]);
  });
});

/** The previous release writes columns by position, so an additional one would break it. */
const COLUMNS_OF_HITS = 22;

function withoutLayout(hit: HitRow): HitRow {
  const isLayout = (name: string): boolean => LAYOUT_FIELDS.some((field) => field === name);
  return Object.fromEntries(Object.entries(hit).filter(([name]) => !isLayout(name))) as unknown as HitRow;
}

describe('openLake', () => {
  it('may be called several times at once in a database without a lake, and refuses a newer lake or another data path', async () => {
    const fresh = await createTestDatabase();
    const settings = {
      ...test.settings,
      databaseUrl: fresh.url,
      data: { kind: 'local' as const, dir: join(dir, 'fresh') },
    };
    const lakes = await Promise.all([0, 1, 2].map((n) => openLake({ ...settings, tempDir: join(dir, `fresh-${n}`) })));
    for (const lake of lakes) expect(await lake.query('select * from lake.hits')).toEqual([]);
    expect((await fresh.pool.query('select version from lake_versions order by 1')).rows).toEqual([
      { version: -3 },
      { version: 2 },
    ]);
    await fresh.pool.query('insert into lake_versions (version) values (99)');
    await expect(openLake(settings)).rejects.toThrow('the lake has version 99');
    await expect(openLake({ ...settings, databaseUrl: test.settings.databaseUrl })).rejects.toThrow('DATA_PATH');
    await Promise.all(lakes.map((lake) => lake.close()));
    await fresh.drop();
  });

  it('upgrades an older lake: visits are sorted with robots last, and compressed for fast reports', async () => {
    const older = await createTestDatabase();
    const settings = {
      ...test.settings,
      databaseUrl: older.url,
      data: { kind: 'local' as const, dir: join(dir, 'older') },
    };
    const before = await openLake({ ...settings, tempDir: join(dir, 'older-1') });
    await before.query(`call lake.set_option('parquet_compression', 'zstd')`);
    await before.query('alter table lake.visits set sorted by (site_id, started_at, visitor_id)');
    await before.close();
    await older.pool.query('update lake_versions set version = 1 where version = 2');
    const lake = await openLake({ ...settings, tempDir: join(dir, 'older-2') });
    const visits = [
      [3, false],
      [2, true],
      [1, false],
    ].map(([minutes, isRobot]) =>
      visitRow({ started_at: NOON + Number(minutes) * 60_000, is_robot: isRobot === true }),
    );
    await inTransaction(older.pool, async (client) => stageRows(client, 0, await nextBatchId(client), { visits }));
    await commitStaged(lake, older.pool, [0]);
    const files = `${settings.data.dir}/main/visits/**/*.parquet`;
    expect(await lake.query(`select distinct compression from parquet_metadata('${files}')`)).toEqual([
      { compression: 'LZ4_RAW' },
    ]);
    expect(
      await lake.query(`select minute(started_at) as minute from read_parquet('${files}') order by file_row_number`),
    ).toEqual([{ minute: 1n }, { minute: 3n }, { minute: 2n }]);
    expect((await older.pool.query('select max(version) as version from lake_versions')).rows).toEqual([
      { version: 2 },
    ]);
    await lake.close();
    await older.drop();
  });

  it('removes the minimum and maximum texts of an older lake, and stores none afterwards', async () => {
    const older = await createTestDatabase();
    const settings = {
      ...test.settings,
      databaseUrl: older.url,
      data: { kind: 'local' as const, dir: join(dir, 'extremes') },
    };
    const put = async (lake: Lake, path: string): Promise<void> => {
      const hits = [hitRow({ page_path: path })];
      await inTransaction(older.pool, async (client) => stageRows(client, 0, await nextBatchId(client), { hits }));
      await commitStaged(lake, older.pool, [0]);
    };
    const texts = async (): Promise<string[]> => {
      const { rows } = await older.pool.query<{ column: string }>(
        `select c.column_name as column from lake.ducklake_table_column_stats s join lake.ducklake_column c using (table_id, column_id)
          where c.column_type not in ('int8', 'int16', 'int32', 'int64', 'float32', 'float64', 'boolean', 'timestamp', 'date')
            and c.column_type not like 'decimal%' and coalesce(s.min_value, s.max_value) is not null`,
      );
      return rows.map(({ column }) => column);
    };
    const before = await openLake({ ...settings, tempDir: join(dir, 'extremes-1') });
    await older.pool.query('drop trigger forget_extremes on lake.ducklake_table_column_stats');
    await put(before, '/m');
    await before.close();
    expect(await texts()).toContain('page_path');
    await older.pool.query('delete from lake_versions where version = (select min(version) from lake_versions)');
    const lake = await openLake({ ...settings, tempDir: join(dir, 'extremes-2') });
    expect(await texts()).toEqual([]);
    for (const path of ['/a', '/z']) await put(lake, path);
    expect(await texts()).toEqual([]);
    // Unknown statistics are not treated as narrow: a plan skips nothing.
    for (const path of ['/a', '/m', '/z'])
      expect(await lake.query(`select page_path from lake.hits where page_path = '${path}'`)).toEqual([
        { page_path: path },
      ]);
    expect(await lake.query('select min(page_path) as least, max(page_path) as greatest from lake.hits')).toEqual([
      { least: '/a', greatest: '/z' },
    ]);
    const { rows } = await older.pool.query(
      `select from lake.ducklake_table_column_stats s join lake.ducklake_column c using (table_id, column_id) where c.column_name = 'at' and s.min_value is not null`,
    );
    expect(rows.length).toBeGreaterThan(0);
    await lake.close();
    await older.drop();
  });

  it('adds a table for positions on the page to an older lake, and keeps the columns of hits that the previous release writes', async () => {
    const older = await createTestDatabase();
    const settings = {
      ...test.settings,
      databaseUrl: older.url,
      data: { kind: 'local' as const, dir: join(dir, 'mapless') },
    };
    const put = async (lake: Lake, hits: HitRow[]): Promise<void> => {
      await inTransaction(older.pool, async (client) => stageRows(client, 0, await nextBatchId(client), { hits }));
      await commitStaged(lake, older.pool, [0]);
    };
    const before = await openLake({ ...settings, tempDir: join(dir, 'mapless-1') });
    await before.query('drop table lake.hit_layouts');
    await before.close();
    await older.pool.query('delete from lake_versions where version < 0');
    // Staged by the previous release and committed by this one.
    await inTransaction(older.pool, async (client) =>
      stageRows(client, 0, await nextBatchId(client), { hits: [withoutLayout(hitRow({ type: 'click', x: 8 }))] }),
    );
    const lake = await openLake({ ...settings, tempDir: join(dir, 'mapless-2') });
    const layout = {
      element_x: 0.25,
      element_y: 1,
      viewport_width: 390,
      viewport_height: 844,
      document_width: 390,
      document_height: 5000,
    };
    await put(lake, [hitRow({ type: 'click', x: 9, ...layout })]);
    expect(
      await lake.query(
        `select x, ${LAYOUT_FIELDS.join(', ')} from lake.hits left join lake.hit_layouts using (site_id, hit_id) order by x`,
      ),
    ).toEqual([
      { x: 8, ...Object.fromEntries(LAYOUT_FIELDS.map((field) => [field, null])) },
      { x: 9, ...layout },
    ]);
    expect(await lake.query('describe lake.hits')).toHaveLength(COLUMNS_OF_HITS);
    await lake.close();
    await older.drop();
  });

  it('does not reveal the password if it fails', async () => {
    const url = new URL(test.settings.databaseUrl);
    url.password = 'hunter2';
    await expect(openLake({ ...test.settings, databaseUrl: url.href })).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('returns a lake whose settings are locked and that cannot load further extensions', async () => {
    await expect(test.lake.query(`set threads = 8`)).rejects.toThrow('locked');
    await expect(test.lake.query(`load spatial`)).rejects.toThrow('not found');
  });
});

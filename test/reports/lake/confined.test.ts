/**
 * The lake of a process that runs statements built from users' requests can reach nothing but the lake and
 * PostgreSQL.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import { attachSites } from '../../../reports/lake/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { hitRow, openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { createReportRole, type ReportRole } from '../../support/lake/reportRole.ts';

const SECRET = 'of the account alone';

let database: TestDatabase;
let role: ReportRole;
let test: TestLake;
/** Contains a file of the same account. */
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
  role = await createReportRole(database);
  dir = await mkdtemp(join(tmpdir(), 'attune-confined-'));
  await writeFile(join(dir, 'secret'), SECRET, { mode: 0o600 });
  await inTransaction(database.pool, async (client) =>
    stageRows(client, 0, await nextBatchId(client), { hits: [hitRow()] }),
  );
  await commitStaged(test.lake, database.pool, [0]);
});
afterAll(async () => {
  await test?.close();
  await role?.drop();
  await database?.drop();
  await rm(dir, { recursive: true, force: true });
});

async function withLake(isConfined: boolean, work: (lake: Lake) => Promise<void>): Promise<void> {
  const lake = await openLake({ ...test.settings, databaseUrl: role.url, readOnly: true, isConfined });
  try {
    await work(lake);
  } finally {
    await lake.close();
  }
}

/**
 * DuckDB's ways to read a file of any content. The size of an environment file is reported as 0, which stops all
 * but JSON.
 */
const readers = (path: string): string[] => [
  `select content from read_text('${path}')`,
  `select content from read_blob('${path}')`,
  `from read_csv('${path}', header = false, columns = {'line': 'varchar'}, delim = '\x02', auto_detect = false)`,
  `from read_json_objects('${path}', format = 'unstructured')`,
];

describe('a confined lake', () => {
  it('is necessary: DuckDB reads whatever file its account may read', async () => {
    await withLake(false, async (lake) => {
      for (const statement of readers(join(dir, 'secret')).slice(0, 3))
        expect(Buffer.from(Object.values((await lake.query(statement))[0] ?? {}).join('')).toString()).toBe(SECRET);
      // Its complaint is about the format of the data that it has read.
      const [, , , json = ''] = readers(`/proc/${process.ppid}/environ`);
      await expect(lake.query(json)).rejects.toThrow('Malformed JSON');
    });
  });

  it('reads no such file, nor the environment of its own or its parent process', async () => {
    await withLake(true, async (lake) => {
      for (const path of [join(dir, 'secret'), `/proc/${process.pid}/environ`, `/proc/${process.ppid}/environ`])
        for (const statement of readers(path))
          await expect(lake.query(statement)).rejects.toThrow('disabled by configuration');
    });
  });

  it('reads the lake and PostgreSQL, and uses its folder for temporary files', async () => {
    await withLake(true, async (lake) => {
      expect(await lake.query('select count(*)::int as n from lake.hits')).toEqual([{ n: 1 }]);
      await lake.query(attachSites(lake.settings));
      expect(await lake.query(`from postgres_query('pg', 'select count(*)::int as n from sites')`)).toEqual([{ n: 0 }]);
      const [sorted] = await lake.query(
        `select count(*)::int as n from (select range, repeat('x', 400) as long from range(2000000) order by hash(range) limit 1900000)`,
      );
      expect(sorted).toEqual({ n: 1_900_000 });
    });
  });

  it.each([
    ['writes no file', () => `copy (select 1) to '${join(dir, 'out.csv')}'`],
    ['reads no other file', () => `from read_csv('/etc/passwd')`],
    ['fetches nothing', () => `from read_csv('http://127.0.0.1:1/x.csv')`],
    ['attaches no other file', () => `attach '${join(dir, 'out.db')}' as other`],
    ['attaches no other database', () => `attach 'host=127.0.0.1' as other (type postgres)`],
    ['loads nothing', () => `load '${join(dir, 'x.duckdb_extension')}'`],
    ['opens nothing again', () => 'set global enable_external_access = true'],
    ['allows no other folder', () => `set global allowed_directories = ['/']`],
  ])('%s', async (_what, statement) => {
    await withLake(true, async (lake) => {
      await expect(lake.query(statement())).rejects.toThrow(/disabled|locked|[Pp]ermission|[Ff]ailed/);
    });
    expect(await readdir(dir)).toEqual(['secret']);
  });
});

/** The lake in a bucket. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import { openLake } from '../../../reports/lake/index.ts';
import { mergeFiles, removeOldFiles, removeOrphans } from '../../../reports/lake/upkeep/mergeFiles.ts';
import { deletePeopleRows } from '../../../reports/lake/upkeep/deleteRows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { hitRow, NOON, openTestLake, visitRow, type TestLake } from '../../support/lake/lake.ts';
import { createTestBucket } from '../../support/servers/s3.ts';

const VISITOR = '0190aaaa-0000-7000-8000-000000000001';

let database: TestDatabase;
let test: TestLake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url, { s3: await createTestBucket() });
});
afterAll(async () => {
  await test?.close();
  await database.drop();
});

const files = async (): Promise<string[]> =>
  (await test.lake.query<{ data_file: string }>(`select data_file from ducklake_list_files('lake', 'hits')`)).map(
    (row) => row.data_file,
  );
const count = async (): Promise<number> =>
  Number((await test.lake.query<{ n: bigint }>('select count(*) as n from lake.hits'))[0]?.n);

describe('a lake in a bucket', () => {
  // proves: decisions-storage/s3
  it('takes rows, replaces visits, merges, deletes and cleans up', async () => {
    const visit = visitRow();
    for (let i = 0; i < 9; i += 1) {
      await inTransaction(database.pool, async (client) =>
        stageRows(client, 0, await nextBatchId(client), {
          hits: [hitRow({ at: NOON + i }), hitRow({ visitor_id: VISITOR })],
          visits: [{ ...visit, pageviews: i }],
        }),
      );
      await commitStaged(test.lake, database.pool, [0]);
    }
    const before = await files();
    expect(before[0]).toMatch(/^s3:\/\/test-\w+\/lake\/main\/hits\/year=2026\/month=3\//);
    expect([before.length, await count()]).toEqual([9, 18]);
    expect(await test.lake.query('select pageviews from lake.visits')).toEqual([{ pageviews: 8 }]);
    await mergeFiles(test.lake, database.pool);
    expect([(await files()).length, await count()]).toEqual([1, 18]);
    const confined = await openLake({ ...test.settings, isConfined: true });
    expect(await confined.query('select count(*)::int as n from lake.hits')).toEqual([{ n: 18 }]);
    await expect(confined.query(`from read_text('s3://another-bucket/x')`)).rejects.toThrow(
      'disabled by configuration',
    );
    await confined.close();
    await deletePeopleRows(test.lake, database.pool, {
      visitors: [{ siteId: 'site00000001', visitorId: VISITOR }],
      users: [],
    });
    expect(await count()).toBe(9);
    for (let i = 0; i < 2; i += 1) {
      await database.pool.query(
        `update lake.ducklake_snapshot set snapshot_time = snapshot_time - interval '16 minutes'`,
      );
      await database.pool.query(
        `update lake.ducklake_files_scheduled_for_deletion set schedule_start = schedule_start - interval '16 minutes'`,
      );
      await removeOldFiles(test.lake);
    }
    const [first = ''] = before;
    await expect(test.lake.query(`select * from read_parquet('${first}')`)).rejects.toThrow(
      /404|Not Found|No such file/i,
    );
    expect(await removeOrphans(test.lake)).toEqual({ files: 0 });
    expect(await count()).toBe(9);
  });
});

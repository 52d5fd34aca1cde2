/** Upkeep during continuous commits. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { repeat } from '../../../platform/process/concurrency/repeat.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { Lake } from '../../../reports/lake/index.ts';
import { deletePastRetention, deletePeopleRows } from '../../../reports/lake/upkeep/deleteRows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { hitRow, NOON, openTestLake, type TestLake } from '../../support/lake/lake.ts';

const SITE = 'busy00000001';
const VISITOR = '0190aaaa-0000-7000-8000-000000000001';
const DAY = 86_400_000;

let database: TestDatabase;
let test: TestLake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url, { threads: 2 });
});
afterAll(async () => {
  await test?.close();
  await database.drop();
});

async function put(at: number, visitors: readonly string[]): Promise<void> {
  const hits = visitors.map((visitor_id) => hitRow({ site_id: SITE, visitor_id, at }));
  await inTransaction(database.pool, async (client) => stageRows(client, 0, await nextBatchId(client), { hits }));
  await commitStaged(test.lake, database.pool, [0]);
}
const others = (count: number): string[] => Array.from({ length: count }, () => crypto.randomUUID());
const count = async (where: string): Promise<number> =>
  Number((await test.lake.query<{ n: bigint }>(`select count(*) as n from lake.hits where ${where}`))[0]?.n);

/** Wraps the lake so that its transactions wait before each statement with this start. */
function before(start: string, wait: (sql: string) => Promise<string>): Lake {
  return {
    ...test.lake,
    withConnection: (work) =>
      test.lake.withConnection((connection) =>
        work({
          ...connection,
          query: async (sql, params) => connection.query(sql.startsWith(start) ? await wait(sql) : sql, params),
        }),
      ),
  };
}

const newestSnapshot = async (): Promise<number> =>
  Number(
    (await database.pool.query<{ id: string }>('select max(snapshot_id) as id from lake.ducklake_snapshot')).rows[0]
      ?.id,
  );
/** A commit waits until the other work is done, however long that takes. */
const isCommitHeldOff = async (): Promise<boolean> =>
  (
    await database.pool.query(
      `select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and not granted and database = (select oid from pg_database where datname = current_database())`,
    )
  ).rowCount !== 0;

describe('a deletion that takes longer than commits wait for it', () => {
  it('succeeds at its second attempt, and no commit is lost', async () => {
    await put(NOON, [VISITOR, ...others(3)]);
    let committed = 0;
    const committing = repeat(20, createLogger('test', 'silent'), 'the ingest', async () => {
      await put(NOON, others(1));
      committed += 1;
    });
    let tries = 0;
    const slow = before('call lake.set_commit_message', async (sql) => {
      tries += 1;
      const newest = await newestSnapshot();
      await eventually(
        async () => (await newestSnapshot()) > newest || (await isCommitHeldOff()),
        'a commit that goes ahead, or one that waits',
      );
      return sql;
    });
    const people = { visitors: [{ siteId: SITE, visitorId: VISITOR }], users: [] };
    expect(await deletePeopleRows(slow, database.pool, people)).toEqual({ rows: 1 });
    expect(tries).toBe(2);
    await committing.close();
    expect([await count(`visitor_id = '${VISITOR}'`), await count(`site_id = '${SITE}'`)]).toEqual([0, 3 + committed]);
  });

  it('goes month by month, only through months that contain matching rows', async () => {
    for (const months of [0, 1, 2, 3])
      await put(NOON - months * 31 * DAY, months === 2 ? others(1) : [VISITOR, ...others(1)]);
    const statements: string[] = [];
    const watched = before('delete', async (sql) => {
      statements.push(sql);
      return sql;
    });
    expect(
      await deletePeopleRows(watched, database.pool, { visitors: [{ siteId: SITE, visitorId: VISITOR }], users: [] }),
    ).toEqual({ rows: 3 });
    expect(statements.map((sql) => /TIMESTAMP '([\d-]+)'/.exec(sql)?.[1])).toEqual([
      '2025-12-01',
      '2026-02-01',
      '2026-03-01',
    ]);
    expect(await count(`visitor_id = '${VISITOR}'`)).toBe(0);
  });
});

describe('work that began so long ago that the lake may have forgotten what happened since', () => {
  const late = (): Lake =>
    before('call lake.set_commit_message', async (sql) => sql.replace(/"begun":[\d.]+/, '"begun":1'));

  it('is refused if it removes expired rows', async () => {
    await put(NOON - 900 * DAY, others(1));
    await expect(deletePastRetention(late(), database.pool, new Map(), { now: NOON, factMonths: 37 })).rejects.toThrow(
      'begun too long ago',
    );
    expect(await count(`"at" < TIMESTAMP '2024-01-01'`)).toBe(1);
    expect(await deletePastRetention(test.lake, database.pool, new Map(), { now: NOON, factMonths: 37 })).toEqual({
      rows: 1,
    });
  });

  it('is refused if it removes people', async () => {
    await put(NOON, [VISITOR]);
    const people = { visitors: [{ siteId: SITE, visitorId: VISITOR }], users: [] };
    await expect(deletePeopleRows(late(), database.pool, people)).rejects.toThrow('begun too long ago');
    expect(await deletePeopleRows(test.lake, database.pool, people)).toEqual({ rows: 1 });
  });
});

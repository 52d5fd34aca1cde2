import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { requestVisitorDeletion } from '../../../db/siteDeletions/visitorDeletionRequests.ts';
import type { LakeRows } from '../../../domain/reports/lakeRows.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { repeat } from '../../../platform/process/concurrency/repeat.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { conversionRow, hitRow, visitRow } from '../../support/lake/lake.ts';
import { addSite } from '../../support/people/sitePeople.ts';
import { keepHistory, largestPayload } from '../../support/workflows/replay.ts';
import { startUpkeep, type Upkeep } from '../../support/lake/upkeep.ts';

const SITE = 'site00000001';
const SHARD = 3;
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let test: Upkeep;

beforeAll(async () => {
  test = await startUpkeep();
  database = test.database;
  await addSite(database.pool, { id: SITE });
});
afterAll(async () => {
  await test?.close();
});

const start = (workflow: string) => test.start(workflow);
const stage = (rows: Partial<LakeRows>): Promise<void> =>
  inTransaction(database.pool, async (client) => stageRows(client, SHARD, await nextBatchId(client), rows));
const commit = () => commitStaged(test.lake, database.pool, [SHARD]);
const inLake = async (visitorId: string): Promise<number> => {
  const tables = ['hits', 'visits', 'conversions']
    .map((table) => `select visitor_id from lake.${table}`)
    .join(' union all ');
  return Number(
    (await test.lake.query<{ n: bigint }>(`select count(*) as n from (${tables}) where visitor_id = '${visitorId}'`))[0]
      ?.n,
  );
};

/** Stores rows of a visitor in every table that keeps some. */
async function leaveTraces(visitorId: string): Promise<void> {
  const { pool } = database;
  const inbox = [SITE, visitorId, SHARD];
  await pool.query(
    `insert into collect_inbox (site_id, visitor_id, shard, received_at, ip, user_agent, batch) values ($1, $2, $3, now(), '192.0.2.1', 'x', '{}')`,
    inbox,
  );
  await pool.query(
    `insert into collect_failed (id, site_id, visitor_id, shard, received_at, ip, user_agent, batch, error) values (-nextval('lake_batch_ids'), $1, $2, $3, now(), '192.0.2.1', 'x', '{}', 'x')`,
    inbox,
  );
  await pool.query('insert into site_visitors (site_id, visitor_id) values ($1, $2)', [SITE, visitorId]);
  await pool.query(
    `insert into site_visits (site_id, visitor_id, shard, visit_id, started_at, last_hit_at, state) values ($1, $2, $3, gen_random_uuid(), now(), now(), '{}')`,
    inbox,
  );
  await pool.query(
    `insert into site_conversions (site_id, visitor_id, shard, origin, id, goal, goal_source, occurred_at, attribution) values ($1, $2, $3, 'api', $2::uuid::text, 'lead', 'api', now(), 'none')`,
    inbox,
  );
  await pool.query(
    `insert into site_orders (site_id, visitor_id, shard, transaction_id, status, origin, occurred_at, attribution) values ($1, $2, $3, $2::uuid::text, 'purchased', 'api', now(), 'none')`,
    inbox,
  );
  await pool.query(
    `insert into lake_failed (site_id, visitor_id, batch_id, table_name, row, error) values ($1, $2, 1, 'hits', '{}', 'x')`,
    [SITE, visitorId],
  );
  await inTransaction(pool, (client) =>
    applyUserData(client, SITE, [
      {
        visitorId,
        userId: userOf(visitorId),
        fingerprint: null,
        data: { gender: 'male', interests: ['кино'] },
        source: 'user',
        at: new Date(),
      },
    ]),
  );
  await pool.query(
    'insert into site_recordings (site_id, visitor_id, recording_id, day, user_agent) values ($1, $2, gen_random_uuid(), current_date, $3)',
    [SITE, visitorId, 'x'],
  );
  const row = { site_id: SITE, visitor_id: visitorId };
  await stage({ hits: [hitRow(row), hitRow(row)], visits: [visitRow(row)], conversions: [conversionRow(row)] });
}

const userOf = (visitorId: string): string => `user-of-${visitorId.slice(0, 8)}`;

/** Returns every row of the database that names the visitor, as text. */
async function findTraces(visitorId: string): Promise<string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [visitorId, userOf(visitorId)],
    );
    if (rows[0]?.n) found.push(`${name}: ${rows[0].n}`);
  }
  return found;
}

describe('deleteVisitors', () => {
  it('removes a visitor from everywhere, including what a running transaction and staged batches bring', async () => {
    const [gone, stays] = [randomUUID(), randomUUID()];
    for (const visitor of [gone, stays]) await leaveTraces(visitor);
    await commit();
    await leaveTracesOnTheWay(gone);
    const late = await beginLateWrite(gone);
    await requestVisitorDeletion(database.pool, SITE, gone);

    const handle = await start('deleteVisitors');
    await eventually(
      async () => (await database.pool.query('select from collect_inbox where visitor_id = $1', [gone])).rowCount === 0,
      'the first pass',
    );
    await late.commit();
    const committing = repeat(100, logger, 'the ingest', commit);
    // The four rows from the beginning, the hit that was staged after them, and the late one.
    expect(await handle.result()).toMatchObject({ visitors: 1, lakeRows: 6 });
    await committing.close();

    expect(await findTraces(gone)).toEqual([]);
    expect(await inLake(gone)).toBe(0);
    expect(await inLake(stays)).toBe(4);
    expect((await findTraces(stays)).sort()).toEqual([
      'collect_failed: 1',
      'collect_inbox: 1',
      'lake_failed: 1',
      'site_conversions: 1',
      'site_orders: 1',
      'site_people: 1',
      'site_person_interests: 1',
      'site_person_values: 1',
      'site_recordings: 1',
      'site_visitor_users: 1',
      'site_visitors: 1',
      'site_visits: 1',
    ]);
    const history = await keepHistory('delete-visitors', handle);
    expect(largestPayload(history)).toBeLessThan(1_000);
  });

  it('ends at once if nobody is to be deleted', async () => {
    const handle = await start('deleteVisitors');
    expect(await handle.result()).toEqual({ visitors: 0, users: 0, rows: 0, lakeRows: 0 });
    await keepHistory('delete-visitors-none', handle);
  });

  it('deletes a visitor again on a request during the deletion', async () => {
    const visitor = randomUUID();
    await requestVisitorDeletion(database.pool, SITE, visitor);
    const handle = await start('deleteVisitors');
    await eventually(
      async () =>
        (
          await database.pool.query('select from visitor_deletions where visitor_id = $1 and run_id is not null', [
            visitor,
          ])
        ).rowCount === 1,
      'the claim',
    );
    await requestVisitorDeletion(database.pool, SITE, visitor);
    await handle.result();
    expect(
      (await database.pool.query('select from visitor_deletions where visitor_id = $1 and run_id is null', [visitor]))
        .rowCount,
    ).toBe(1);
    expect(await (await start('deleteVisitors')).result()).toMatchObject({ visitors: 1 });
  });
});

async function leaveTracesOnTheWay(visitorId: string): Promise<void> {
  await stage({ hits: [hitRow({ site_id: SITE, visitor_id: visitorId })] });
}

/** Starts an ingest that read the visitor's events before the deletion began and writes after its first pass. */
async function beginLateWrite(visitorId: string): Promise<{ commit(): Promise<void> }> {
  const client = await database.pool.connect();
  await client.query('begin');
  await stageRows(client, SHARD, await nextBatchId(client), {
    hits: [hitRow({ site_id: SITE, visitor_id: visitorId })],
  });
  return {
    async commit() {
      await client.query(
        `insert into site_visits (site_id, visitor_id, shard, visit_id, started_at, last_hit_at, state) values ($1, $2, $3, gen_random_uuid(), now(), now(), '{}')`,
        [SITE, visitorId, SHARD],
      );
      await client.query('commit');
      client.release();
    },
  };
}

describe('mergeLake', () => {
  it('merges the files of many commits', async () => {
    for (let i = 0; i < 9; i += 1) {
      await stage({ hits: [hitRow({ site_id: 'merged000001' })] });
      await commit();
    }
    const handle = await start('mergeLake');
    const result = (await handle.result()) as { merged: number; made: number };
    expect(result.merged).toBeGreaterThanOrEqual(9);
    expect(result.made).toBeGreaterThanOrEqual(1);
    await keepHistory('merge-lake', handle);
  });
});

describe('retainLake', () => {
  // proves: quotas/hits-retention
  it('removes expired rows from the lake and from PostgreSQL', async () => {
    const old = Date.now() - 500 * 86_400_000;
    await addSite(database.pool, { id: 'old000000001' }); // the retention of visits is a setting of the site
    await stage({
      hits: [hitRow({ site_id: 'old000000001', at: old }), hitRow({ site_id: 'old000000001', at: Date.now() })],
    });
    await commit();
    const visit = `insert into site_visits (site_id, visitor_id, shard, visit_id, started_at, last_hit_at, state, lake_batch) values ('old000000001', gen_random_uuid(), 1, gen_random_uuid(), $1, $1, '{}', $2)`;
    // Deleted; not settled; still needed.
    for (const [at, batch] of [
      [new Date(old), 1],
      [new Date(old), null],
      [new Date(), 1],
    ])
      await database.pool.query(visit, [at, batch]);
    const site = await addSite(database.pool);
    for (const at of [new Date(old), new Date()]) {
      await database.pool.query(
        'insert into site_visitors (site_id, visitor_id, created_at) values ($1, gen_random_uuid(), $2)',
        [site, at],
      );
      await database.pool.query(
        `insert into site_people (site_id, kind, person_id, told_at) values ($1, 'user', $2::timestamptz::text, $2)`,
        [site, at],
      );
    }
    const handle = await start('retainLake');
    // The visit, the visitor and the user.
    expect(await handle.result()).toEqual({ lakeRows: 1, rows: 3, orphans: 0 });
    await keepHistory('retain-lake', handle);
  });
});

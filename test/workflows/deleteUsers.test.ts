import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';
import { createLocalBlobStore } from '../../platform/blobs/local.ts';
import { nextBatchId, stageRows } from '../../db/lake/batches.ts';
import { inTransaction } from '../../db/pool.ts';
import { applyUserData } from '../../db/sitePeople/applyTagAndServerData.ts';
import { recordUserDeletions, requestUserDeletion } from '../../db/siteDeletions/userDeletions.ts';
import { recordVisitorDeletions } from '../../db/siteDeletions/visitorDeletionRequests.ts';
import type { LakeRows } from '../../domain/reports/lakeRows.ts';
import type { PersonData } from '../../domain/people/personData.ts';
import { exportBlobFolder } from '../../domain/jobs/ids.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';
import { removeExpired } from '../../loops/relay/removeExpired.ts';
import { commitStaged } from '../../reports/lake/commit/commitStaged.ts';
import { removeOldFiles } from '../../reports/lake/upkeep/mergeFiles.ts';
import { replayDeletions } from '../../tools/scripts/admin/replayDeletions.ts';
import { eventually } from '../support/eventually.ts';
import { DOOMED, leaveEverything, leaveWaiting } from '../support/people/fullTraces.ts';
import { conversionRow, hitRow, orderLineRow, orderRow, passAnHour } from '../support/lake/lake.ts';
import { SITE_TABLES } from '../support/people/peopleTables.ts';
import { keepHistory, largestPayload } from '../support/workflows/replay.ts';
import { addSite, addVisitor, audienceOf, hashOf } from '../support/people/sitePeople.ts';
import { tracesInDump, tracesInFiles, tracesInLakeFiles, type Trace } from '../support/people/traces.ts';
import { startUpkeep, type Upkeep } from '../support/lake/upkeep.ts';

const SHARD = 3;
const logger = createLogger('test', 'silent');
/** Contains the characters that percent-encoding, SQL and JSON each escape differently. */
const USER = `o'neil/"7"\\ % ё`;

let test: Upkeep;
let site: string;
let other: string;

beforeAll(async () => {
  test = await startUpkeep();
  site = await addSite(test.database.pool, { network: true });
  other = await addSite(test.database.pool, { network: true });
});
afterAll(async () => {
  await test?.close();
});

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);
const stage = (rows: Partial<LakeRows>): Promise<void> =>
  inTransaction(test.database.pool, async (client) => stageRows(client, SHARD, await nextBatchId(client), rows));
const commit = () => commitStaged(test.lake, test.database.pool, [SHARD]);
const tell = (
  at: string,
  who: { userId: string | null; visitorId: string | null },
  data: PersonData = {},
): Promise<void> =>
  inTransaction(test.database.pool, (client) =>
    applyUserData(client, at, [{ ...who, fingerprint: null, data, source: 'user', at: new Date() }]),
  );
const audience = (at: string, id: string) => audienceOf(test.database.pool, at, { kind: 'user', id });

const FACT = `insert into site_orders (site_id, user_id, shard, transaction_id, status, origin, occurred_at, attribution) values ($1, $2, $3, gen_random_uuid()::text, 'purchased', 'api', now(), $4)`;

/**
 * Stores everything for a user without a known visitor: values, contacts, interests, and facts in both databases.
 */
async function leaveTraces(at: string, userId: string): Promise<void> {
  await tell(
    at,
    { userId, visitorId: null },
    { gender: 'male', interests: ['кино'], email_hash: hashOf(`${userId}@example.com`) },
  );
  await query(
    `insert into site_conversions (site_id, user_id, shard, origin, id, goal, goal_source, occurred_at, attribution) values ($1, $2, $3, 'api', gen_random_uuid()::text, 'lead', 'api', now(), 'none')`,
    [at, userId, SHARD],
  );
  await query(FACT, [at, userId, SHARD, 'none']);
  await query(FACT, [at, userId, SHARD, 'pending']);
  await query(`insert into lake_failed (site_id, batch_id, table_name, row, error) values ($1, 1, 'orders', $2, 'x')`, [
    at,
    JSON.stringify(orderRow({ site_id: at, user_id: userId, visitor_id: null })),
  ]);
  await stageFacts(at, userId);
}

async function stageFacts(at: string, userId: string): Promise<void> {
  const row = { site_id: at, user_id: userId, visitor_id: null, visitor_bucket: 17 };
  await stage({
    conversions: [conversionRow(row)],
    orders: [orderRow(row)],
    order_lines: [orderLineRow({ ...row, transaction_id: randomUUID() })],
  });
}

/** Adds a batch that will link its visitor to the user. */
function leaveInInbox(visitorId: string, userId: string): Promise<unknown> {
  const batch = {
    device: null,
    events: [
      { type: 'pageview', user: null },
      { type: 'user', user: { user_id: userId } },
    ],
  };
  return query(
    `insert into collect_inbox (site_id, visitor_id, shard, received_at, ip, user_agent, batch) values ($1, $2, $3, now(), '192.0.2.1', 'x', $4)`,
    [site, visitorId, SHARD, JSON.stringify(batch)],
  );
}

/** Counts, by table, the rows that contain the text, raw or as JSON escapes it. */
async function findTraces(at: string, text: string): Promise<Record<string, number>> {
  const { rows: tables } = (await query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )) as { rows: { name: string }[] };
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await query(
      `select count(*)::int as n from ${name} t where position($1 in to_jsonb(t)::text) > 0 and (position($2 in to_jsonb(t)::text) > 0 or position($3 in to_jsonb(t)::text) > 0)`,
      [at, JSON.stringify(text).slice(1, -1), JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    );
    if (rows[0]?.n) found[name] = rows[0].n;
  }
  return found;
}

async function inLake(at: string, column: string, value: string): Promise<number> {
  const tables = { user_id: ['conversions', 'orders', 'order_lines'], visitor_id: ['hits'] }[column] ?? [];
  const all = tables.map((table) => `select site_id, ${column}::varchar as who from lake.${table}`).join(' union all ');
  return Number(
    (
      await test.lake.query<{ n: bigint }>(
        `select count(*) as n from (${all}) where site_id = '${at}' and who = '${value.replaceAll("'", "''")}'`,
      )
    )[0]?.n,
  );
}

/** Adds an export whose file and request name a person. */
async function addExport(siteId: string, text: string): Promise<string> {
  const { rows } = await query(
    `insert into report_exports (site_id, state, format, report, progress, rows, sampled, blob_key, finished_at, expires_at)
     values ($1, 'done', 'csv', jsonb_build_object('filter', $2::text), 1, 1, false, 'x', now(), now() + interval '7 days') returning id`,
    [siteId, text],
  );
  return (rows[0] as { id: string }).id;
}

const dueFolders = async (siteId: string): Promise<string[]> =>
  (
    await query('select folder from blob_garbage where project_id = $1 and after <= now() order by folder', [siteId])
  ).rows.map((row: { folder: string }) => row.folder);

/** @param keptAs name of the recorded history */
async function run(keptAs: string | null = null, forgotten: readonly string[] = []): Promise<unknown> {
  const handle = await test.start('deleteVisitors');
  const committing = repeat(100, logger, 'the ingest', commit);
  const result = await handle.result().finally(() => committing.close());
  const history = keptAs === null ? await handle.fetchHistory() : await keepHistory(keptAs, handle);
  expect(largestPayload(history)).toBeLessThan(1_000);
  const told = Buffer.from(proto.temporal.api.history.v1.History.encode(history).finish()).toString('utf8');
  for (const text of forgotten) expect([text, told.includes(text)]).toEqual([text, false]);
  return result;
}

describe('deletion of a user', () => {
  it('removes what names the user alone, and every visitor that was or is about to be linked to the user', async () => {
    for (const [at, user] of [
      [site, USER],
      [site, 'stays'],
      [other, USER],
    ] as const)
      await leaveTraces(at, user);
    const [linked, relinked, coming, stranger] = [
      await addVisitor(test.database.pool, site),
      await addVisitor(test.database.pool, site),
      await addVisitor(test.database.pool, site),
      await addVisitor(test.database.pool, site),
    ];
    await tell(site, { userId: USER, visitorId: linked });
    for (const userId of [USER, 'next']) await tell(site, { userId, visitorId: relinked });
    await leaveInInbox(coming, USER);
    await leaveInInbox(stranger, `${USER}8`);
    await stage({
      hits: [linked, relinked, coming, stranger].map((visitorId) => hitRow({ site_id: site, visitor_id: visitorId })),
    });
    await commit();
    // Staged, and not in the lake yet.
    await stageFacts(site, USER);
    const [exported, elsewhere] = [await addExport(site, USER), await addExport(other, 'somebody')];
    await requestUserDeletion(test.database.pool, site, USER);
    await requestUserDeletion(test.database.pool, site, USER);
    expect(await run('delete-users-exports', [USER, linked, relinked, coming])).toMatchObject({
      visitors: 3,
      users: 1,
      lakeRows: 3 + 3 + 3,
    });
    expect([await dueFolders(site), await dueFolders(other)]).toEqual([[exportBlobFolder(site, exported)], []]);
    expect((await query('select id from report_exports')).rows).toEqual([{ id: elsewhere }]);
    for (const who of [USER, linked, relinked, coming])
      expect({ who, found: await findTraces(site, who) }).toEqual({
        who,
        found: who === USER ? { collect_inbox: 1 } : {},
      });
    expect(await inLake(site, 'user_id', USER)).toBe(0);
    for (const who of [linked, relinked, coming]) expect(await inLake(site, 'visitor_id', who)).toBe(0);
    expect(await inLake(site, 'visitor_id', stranger)).toBe(1);
    const kept = {
      site_people: 1,
      site_person_values: 1,
      site_person_interests: 1,
      site_conversions: 1,
      site_orders: 2,
      lake_failed: 1,
    };
    expect([await findTraces(site, 'stays'), await findTraces(other, USER)]).toEqual([kept, kept]);
    expect([await inLake(site, 'user_id', 'stays'), await inLake(other, 'user_id', USER)]).toEqual([3, 3]);
  });

  it('withdraws what the network knows about the user', async () => {
    const email = hashOf('anna@example.com');
    await tell(site, { userId: 'anna', visitorId: null }, { gender: 'female', email_hash: email });
    await tell(other, { userId: 'annette', visitorId: null }, { email_hash: email });
    expect(await audience(other, 'annette')).toEqual({ gender: ['female/network'] });
    await requestUserDeletion(test.database.pool, site, 'anna');
    await run();
    expect(await audience(other, 'annette')).toEqual({});
  });

  it('removes what a running transaction writes after the first pass, and its linked visitor in the next run', async () => {
    const visitorId = await addVisitor(test.database.pool, site);
    await tell(site, { userId: 'late', visitorId: null }, { gender: 'male' });
    // The deletions wait for this transaction, so it must end even if something in it fails.
    const handle = await inTransaction(test.database.pool, async (client) => {
      await client.query(FACT, [site, 'late', SHARD, 'none']);
      await requestUserDeletion(test.database.pool, site, 'late');
      const started = await test.start('deleteVisitors');
      await eventually(async () => Object.keys(await audience(site, 'late')).length === 0, 'the first pass');
      await applyUserData(client, site, [
        { userId: 'late', visitorId, fingerprint: null, data: { gender: 'female' }, source: 'user', at: new Date() },
      ]);
      return started;
    });
    expect(await handle.result()).toMatchObject({ visitors: 0, users: 1 });
    expect(await audience(site, 'late')).toEqual({});
    expect(await findTraces(site, 'late')).toEqual({ site_visitors: 1, site_visitor_users: 1 });
    expect(await run()).toMatchObject({ visitors: 1, users: 0 });
    expect([await findTraces(site, 'late'), await findTraces(site, visitorId)]).toEqual([{}, {}]);
  });

  it('finishes in the lake and the exports what a replay of the ledger has begun', async () => {
    const { pool } = test.database;
    const key = Buffer.alloc(32, 'ledger');
    await leaveTraces(site, 'replayed');
    const [visitorId, stranger] = [await addVisitor(pool, site), await addVisitor(pool, site)];
    await stage({ hits: [visitorId, stranger].map((id) => hitRow({ site_id: site, visitor_id: id })) });
    await commit();
    const exported = await addExport(site, 'replayed');
    await recordUserDeletions(pool, key, [{ siteId: site, userId: 'replayed' }]);
    await recordVisitorDeletions(pool, key, [{ siteId: site, visitorId }]);
    expect(await replayDeletions(pool, key)).toEqual({ identities: 0, visitors: 1, users: 1 });
    expect([await findTraces(site, 'replayed'), await findTraces(site, visitorId)]).toEqual([
      { report_exports: 1, user_deletions: 1 },
      { visitor_deletions: 1 },
    ]);
    expect(await run()).toMatchObject({ visitors: 1, users: 1 });
    expect([await findTraces(site, 'replayed'), await findTraces(site, visitorId)]).toEqual([{}, {}]);
    expect([await inLake(site, 'user_id', 'replayed'), await inLake(site, 'visitor_id', visitorId)]).toEqual([0, 0]);
    expect(await inLake(site, 'visitor_id', stranger)).toBe(1);
    expect(await dueFolders(site)).toContain(exportBlobFolder(site, exported));
  });

  it('leaves nothing of the user in a dump, the files of the lake, exports, recordings and histories', async () => {
    const { pool } = test.database;
    const blobDir = await mkdtemp(join(tmpdir(), 'attune-erased-'));
    const lakeDir = test.settings.data.kind === 'local' ? test.settings.data.dir : '';
    const texts = Object.values(DOOMED);
    const places = async (): Promise<Record<string, Trace[]>> => ({
      dump: await tracesInDump(test.database.url, texts),
      lake: await tracesInLakeFiles(test.lake, lakeDir, texts),
      blobs: await tracesInFiles(blobDir, texts),
    });
    await leaveEverything({ pool, site, blobDir }, DOOMED);
    await leaveWaiting(pool, site, DOOMED);
    const found = { ...(await findTraces(site, DOOMED.visitor)), ...(await findTraces(site, DOOMED.user)) };
    const unwritten = Object.keys(SITE_TABLES).filter((table) => !(table in found));
    expect({ 'tables without a row in test/support/people/fullTraces.ts': unwritten }).toEqual({
      'tables without a row in test/support/people/fullTraces.ts': [],
    });
    await commit();
    const before = await places();
    for (const text of texts) for (const traces of Object.values(before)) expect(traces.flat()).toContain(text);
    await requestUserDeletion(pool, site, DOOMED.user);
    expect(await run(null, texts)).toMatchObject({ visitors: 1, users: 1 });
    // Snapshots expire first, and the files that only they used an hour later, as lake-merge does it.
    for (const step of [1, 2]) {
      await passAnHour(pool);
      expect({ step, ...(await removeOldFiles(test.lake)) }).toEqual({ step, files: expect.any(Number) });
    }
    await removeExpired({
      pool,
      blobs: createLocalBlobStore(blobDir),
      rememberCollectedHours: 1,
      auditDays: 1,
      logger,
    });
    expect(await places()).toEqual({ dump: [], lake: [], blobs: [] });
    await rm(blobDir, { recursive: true });
  });

  it('is repeated on a request during the deletion', async () => {
    await requestUserDeletion(test.database.pool, site, 'twice');
    const handle = await test.start('deleteVisitors');
    await eventually(
      async () =>
        (await query(`select from user_deletions where user_id = 'twice' and run_id is not null`)).rowCount === 1,
      'the claim',
    );
    await requestUserDeletion(test.database.pool, site, 'twice');
    await handle.result();
    expect((await query(`select from user_deletions where user_id = 'twice' and run_id is null`)).rowCount).toBe(1);
    expect(await run()).toMatchObject({ users: 1 });
  });
});

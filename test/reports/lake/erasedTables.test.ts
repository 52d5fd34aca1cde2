/**
 * Every table of the lake, including any that a release adds, loses its rows with their visitor and at the end of
 * their retention.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
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

const SITE = 'erased000001';
const VISITOR = '0190aaaa-0000-7000-8000-000000000001';
/** Tables whose rows name nobody: they hold ids of visits that are no longer stored. */
const NAMELESS = ['former_robot_visits'];

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

/** Puts a robot's visit with a row in every table into the lake. */
beforeEach(async () => {
  const visit = visitRow({ site_id: SITE, visitor_id: VISITOR, is_robot: true, robot_reason: 'UserAgent' });
  const { visit_id, started_at } = visit;
  const fact = { site_id: SITE, visitor_id: VISITOR, visit_id, visit_started_at: started_at };
  const rows = {
    hits: [hitRow({ site_id: SITE, visitor_id: VISITOR, visit_id, viewport_width: 390 })],
    visits: [visit],
    conversions: [conversionRow(fact)],
    orders: [orderRow({ ...fact, transaction_id: 't1' })],
    order_lines: [orderLineRow({ ...fact, transaction_id: 't1' })],
  };
  await inTransaction(database.pool, async (client) => stageRows(client, 0, await nextBatchId(client), rows));
  await commitStaged(test.lake, database.pool, [0]);
});

/** Returns the tables of the lake that have rows of the site, and those that have none. */
async function tablesByRows(): Promise<{ filled: string[]; empty: string[] }> {
  const tables = await test.lake.query<{ name: string }>(
    `select table_name as name from duckdb_tables() where database_name = 'lake' and schema_name = 'main' order by name`,
  );
  const found = { filled: [] as string[], empty: [] as string[] };
  for (const { name } of tables) {
    const rows = await test.lake.query(`select 1 from lake.${name} where site_id = '${SITE}' limit 1`);
    found[rows.length > 0 ? 'filled' : 'empty'].push(name);
  }
  return found;
}

const retain = (now: number) => deletePastRetention(test.lake, database.pool, new Map(), { now, factMonths: 37 });

it('every table loses the rows of a deleted visitor', async () => {
  // A table that is empty here would prove nothing: this test has to fill it.
  expect((await tablesByRows()).empty).toEqual(NAMELESS);
  await deletePeopleRows(test.lake, database.pool, { visitors: [{ siteId: SITE, visitorId: VISITOR }], users: [] });
  expect((await tablesByRows()).filled).toEqual([]);
});

it('every table loses its rows at the end of their retention', async () => {
  await retain(NOON + 400 * 86_400_000);
  const { filled, empty } = await tablesByRows();
  expect(filled).toEqual([...NAMELESS, 'conversions', 'order_lines', 'orders'].toSorted());
  expect(empty).toEqual(['hit_layouts', 'hits', 'visits']);
  await retain(Date.UTC(2040, 1, 1));
  expect((await tablesByRows()).filled).toEqual([]);
});

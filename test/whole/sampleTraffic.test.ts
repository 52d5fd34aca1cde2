/**
 * npm start -- --sample-traffic: everything sent through /collect and the APIs is in PostgreSQL and in the lake,
 * once.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TrafficSummary } from '../../tools/traffic/index.ts';
import { openLake, type Lake } from '../../reports/lake/index.ts';
import { PLAN_NAME, type TrafficPlan } from '../../tools/scripts/dev/sampleTraffic/trafficPlan.ts';
import { testDuckdbExtensions } from '../support/programs/engines.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { until } from '../support/whole/until.ts';

const DAYS = 10;
/** Only a run that hangs takes this long. */
const PATIENCE_MS = 600_000;

let stack: WholeStack;
let pool: pg.Pool;
let lake: Lake;
let sent: TrafficSummary;

beforeAll(async () => {
  stack = await startStack({ args: ['--sample-traffic', '--sample-days', String(DAYS)] });
  const { dataDir, dev } = stack;
  pool = new pg.Pool({ connectionString: dev.database_url, max: 2 });
  const plan = await until(
    'the traffic is sent',
    async () => JSON.parse(await readFile(join(dataDir, PLAN_NAME), 'utf8').catch(() => 'null')) as TrafficPlan | null,
    (seen) => seen !== null && seen.sent !== null,
    PATIENCE_MS,
  );
  if (plan === null || plan.sent === null) throw new Error('no plan');
  sent = plan.sent;
  await until('everything is ingested and in the lake', unsettled, (count) => count === 0, PATIENCE_MS);
  lake = await openLake({
    databaseUrl: dev.database_url,
    data: { kind: 'local', dir: join(dataDir, 'lake') },
    extensionsDir: await testDuckdbExtensions(),
    tempDir: join(dataDir, 'lake-of-the-test'),
    memoryMb: 512,
    threads: 1,
  });
}, 1_800_000);

afterAll(async () => {
  await lake?.close();
  await pool?.end();
  await stack?.stop();
});

/** Counts unfinished data. A visit of the last half hour would be open; the generator makes none then. */
async function unsettled(): Promise<number> {
  return (
    (
      await rowsOf<{
        count: number;
      }>(`select (select count(*) from collect_inbox) + (select count(*) from site_visits where lake_batch is null)
    + (select count(*) from site_conversions where lake_batch is null) + (select count(*) from site_orders where lake_batch is null) + (select count(*) from lake_batches) as count`)
    )[0]?.count ?? -1
  );
}

async function rowsOf<T>(sql: string): Promise<T[]> {
  const { rows } = await pool.query<Record<string, unknown>>(sql);
  return rows.map(numbers) as T[];
}

async function lakeRowsOf<T>(sql: string): Promise<T[]> {
  return (await lake.query(sql)).map((row) => numbers(row as Record<string, unknown>)) as T[];
}

/** Counts are texts or bigints. */
function numbers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, name === 'count' || name === 'sum' ? Number(value) : value]),
  );
}

const byName = (rows: readonly { name: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, count }) => [name, count]));

describe('sample traffic', () => {
  it('contains visits, orders, and hits beyond the limit of one visitor', () => {
    expect(sent.visits).toBeGreaterThan(200);
    expect(sent.orders).toBeGreaterThan(0);
    expect(sent.surplus).toBeGreaterThan(0);
  });

  it('is stored in PostgreSQL: visitors, visits, goals, orders', async () => {
    expect(await rowsOf('select count(*), sum(visits) from site_visitors')).toEqual([
      { count: sent.visitors, sum: sent.visits },
    ]);
    expect(await rowsOf('select count(*) from site_visits')).toEqual([{ count: sent.visits }]);
    expect(byName(await rowsOf('select goal as name, count(*) from site_conversions group by goal'))).toEqual(
      sent.conversions,
    );
    expect(await rowsOf(`select count(*), sum(revenue) from site_orders where status = 'purchased'`)).toEqual([
      { count: sent.orders, sum: sent.revenue },
    ]);
    expect(await rowsOf(`select count(*) from site_orders where status = 'refunded'`)).toEqual([
      { count: sent.refunds },
    ]);
    expect(await rowsOf('select count(*) from collect_failed')).toEqual([{ count: 0 }]);
  });

  it('is stored in the lake: hits of each type, visits, goals, orders', async () => {
    expect(byName(await lakeRowsOf('select type as name, count(*) as count from lake.hits group by all'))).toEqual(
      sent.hits,
    );
    expect(await lakeRowsOf('select count(distinct hit_id) as count from lake.hits')).toEqual([
      { count: Object.values(sent.hits).reduce((sum, count) => sum + count, 0) },
    ]);
    expect(
      await lakeRowsOf('select count(*) as count, count(distinct visit_id)::BIGINT as sum from lake.visits'),
    ).toEqual([{ count: sent.visits, sum: sent.visits }]);
    expect(
      byName(await lakeRowsOf('select goal as name, count(*) as count from lake.conversions group by all')),
    ).toEqual(sent.conversions);
    expect(
      await lakeRowsOf(
        `select count(*) as count, sum(revenue)::DOUBLE as sum from lake.orders where status = 'purchased'`,
      ),
    ).toEqual([{ count: sent.orders, sum: sent.revenue }]);
  });

  it('has robots of each kind marked, and places, devices and sources recognised', async () => {
    const reasons = await lakeRowsOf<{ name: string }>(
      'select distinct robot_reason as name from lake.visits where is_robot order by name',
    );
    expect(reasons.map(({ name }) => name)).toEqual(['Frequency', 'NoJavaScript', 'UserAgent']);
    const unknown = await lakeRowsOf<{ count: number }>(
      "select count(*) as count from lake.visits where not is_robot and (country is null or browser is null or device_type = 'other')",
    );
    expect(unknown).toEqual([{ count: 0 }]);
    const [types] = await lakeRowsOf<{ count: number }>(
      'select count(distinct source_last.source_type) as count from lake.visits',
    );
    expect(types?.count).toBeGreaterThanOrEqual(8);
  });

  it('is spread over its days', async () => {
    const days = await lakeRowsOf<{ name: string }>(
      `select distinct strftime(started_at + interval 3 hours, '%Y-%m-%d') as name from lake.visits`,
    );
    // Early on the last day there is no finished visit yet.
    expect(days.length).toBeGreaterThanOrEqual(DAYS - 1);
    expect(days.length).toBeLessThanOrEqual(DAYS);
  });
});

/**
 * Fills the lake with the benchmark's sites as ingest and upkeep leave it: one commit per day, merged month by month.
 */
import type pg from 'pg';
import { insertClient } from '../../../../db/accounts/clients.ts';
import { insertSite } from '../../../../db/sites/sites.ts';
import { inLakeTransaction, type LakeConnection } from '../../../../reports/lake/connection.ts';
import type { Lake } from '../../../../reports/lake/index.ts';
import { mergeFiles } from '../../../../reports/lake/upkeep/mergeFiles.ts';
import { createChance } from './chance.ts';
import { CONVERSIONS, createFacts, createMonthFacts, ORDER_LINES, ORDERS } from './facts.ts';
import { createPages } from './pages.ts';
import { storePeople } from './people.ts';
import { BEGIN, END, TIMEZONE, type WorldSite } from './sitesAndPeriod.ts';
import { createMonthHits, createMonthVisits, HITS } from './rows.ts';
import { createSources } from './sources.ts';
import { createBase } from './visits.ts';

/** @throws when a build was started in this folder before */
export async function buildWorld(
  lake: Lake,
  pool: pg.Pool,
  sites: readonly WorldSite[],
  tell: (line: string) => void,
): Promise<void> {
  await createSites(pool, sites);
  await lake.withConnection(async (connection) => {
    for (const create of [createChance, createSources, createFacts, createPages]) await create(connection);
    await createBase(connection, sites);
    tell('visits are planned');
    await storePeople(connection, sites);
    for (const [from, to] of months()) {
      await storeMonth(connection, from, to);
      const { merged, made } = await mergeFiles(lake, pool);
      tell(`${from.slice(0, 7)}: ${merged} files became ${made}`);
    }
  });
  await pool.query('vacuum analyze');
}

async function createSites(pool: pg.Pool, sites: readonly WorldSite[]): Promise<void> {
  const { rowCount } = await pool.query('select 1 from sites limit 1');
  if (rowCount !== 0) throw new Error('the rows are incomplete: remove the folder and start again');
  const clientId = await insertClient(pool, 'Benchmark');
  for (const { id } of sites)
    await insertSite(pool, {
      id,
      clientId,
      title: id,
      hosts: ['shop.example.com'],
      timezone: TIMEZONE,
      currency: 'RUB',
    });
}

/** Returns the first instants of the months of the period, each with the next one. */
function months(): [string, string][] {
  const instants = [BEGIN];
  for (let at = new Date(`${BEGIN.slice(0, 7)}-01T00:00:00Z`); ;) {
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
    const text = at.toISOString().slice(0, 19).replace('T', ' ');
    if (text >= END) break;
    instants.push(text);
  }
  return instants.map((from, index) => [from, instants[index + 1] ?? END]);
}

async function storeMonth(connection: LakeConnection, from: string, to: string): Promise<void> {
  await createMonthHits(connection, from, to);
  await createMonthFacts(connection);
  await createMonthVisits(connection);
  const tables = {
    hits: HITS,
    visits: 'select * from month_visits',
    conversions: CONVERSIONS,
    orders: ORDERS,
    order_lines: ORDER_LINES,
  };
  for (
    let day = Date.parse(`${from.replace(' ', 'T')}Z`);
    day < Date.parse(`${to.replace(' ', 'T')}Z`);
    day += 86_400_000
  ) {
    const stamp = `make_timestamp_ms(${day})`;
    await inLakeTransaction(connection, async () => {
      for (const [table, rows] of Object.entries(tables))
        await connection.query(
          `insert into lake.${table} by name ${rows} where started_at >= ${stamp} and started_at < ${stamp} + interval 1 day`,
        );
    });
  }
  for (const table of ['month_base', 'month_hits', 'month_goals', 'month_lines', 'month_orders', 'month_visits'])
    await connection.query(`drop table ${table}`);
}

/** The rows of the lake in PostgreSQL tables, with the indexes that its users would create. */
import pg from 'pg';
import { quotedText } from '../../../../reports/sql/quotedText.ts';
import type { Lake } from '../../../../reports/lake/index.ts';
import { quotedName } from '../../../../reports/lake/tables.ts';
import { flatColumns, flatSelect, TABLE_NAMES } from './columns.ts';

const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  UUID: 'uuid',
  TIMESTAMP: 'timestamp(3)',
  SMALLINT: 'smallint',
  INTEGER: 'integer',
  DOUBLE: 'double precision',
  BOOLEAN: 'boolean',
  'DECIMAL(24,6)': 'numeric(24,6)',
};

const INDEXES = [
  'hits (site_id, visit_started_at)',
  'hits (site_id, page_path, visit_started_at)',
  'hits (visit_id)',
  `hits (site_id, type, visit_started_at) where type <> 'pageview'`,
  'visits (site_id, started_at)',
  'visits (visit_id)',
  'visits (site_id, visitor_id, started_at)',
  'visits (site_id, country, started_at)',
  'conversions (site_id, at)',
  'conversions (visit_id)',
  'orders (site_id, at)',
  'orders (visit_id)',
  'order_lines (site_id, at)',
  'order_lines (transaction_id)',
  'audience (visitor_id)',
];

/** @param audience a file of exportAudience.ts */
export async function loadPostgres(url: string, lake: Lake, sites: readonly string[], audience: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const table of TABLE_NAMES) {
      await client.query(`drop table if exists ${table}`);
      await client.query(
        `create table ${table} (${flatColumns(table)
          .map(({ name, type, required }) => `${name} ${TYPES[type]}${required ? ' not null' : ''}`)
          .join(', ')})`,
      );
      const time = table === 'hits' ? 'visit_started_at' : table === 'visits' ? 'started_at' : quotedName('at');
      // Inserted in order of time, as they would have arrived.
      await insertRows(
        url,
        lake,
        table,
        `select ${flatSelect(table)} from lake.${table} where site_id in (${sites.map(quotedText).join(', ')}) order by ${time}`,
      );
    }
    await client.query('drop table if exists audience');
    await client.query('create table audience (site_id text, visitor_id uuid, gender text, age_group text)');
    await insertRows(
      url,
      lake,
      'audience',
      `from ${quotedText(audience)} where site_id in (${sites.map(quotedText).join(', ')})`,
    );
    for (const index of INDEXES) await client.query(`create index on ${index}`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function insertRows(url: string, lake: Lake, table: string, rows: string): Promise<void> {
  await lake.withConnection(async (connection) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const words = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} dbname=${pathname.slice(1)}`;
    await connection.query(`attach ${quotedText(words)} as rival (type postgres)`);
    try {
      await connection.query(`insert into rival.public.${table} ${rows}`);
    } finally {
      await connection.query('detach rival');
    }
  });
}

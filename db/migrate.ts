/** Applies the numbered files of migrations/, each once, each in a transaction of its own. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', 'migrations');
/** Any constant will do, as long as it is ours: two migrators at once wait for each other. */
const LOCK_KEY = 4_817_231_905;
const OLDEST_SERVER = 150_000;

interface Migration {
  name: string;
  sql: string;
  hash: string;
}

/**
 * Brings the database up to date. Safe to run from several processes at once.
 * @throws {Error} when the server is too old, or an applied file was changed since or is unknown here.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'attune-migrate' });
  await client.connect();
  try {
    await requireServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    const applied = await readApplied(client);
    const migrations = await readMigrations();
    requireKnown([...applied.keys()], migrations);
    for (const migration of migrations) await apply(client, migration, applied.get(migration.name));
  } finally {
    await client.end();
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version < OLDEST_SERVER) throw new Error(`PostgreSQL 15 or newer is needed, the server is ${version}`);
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations');
  return new Map(rows.map((row) => [row.name, row.hash]));
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS_DIR)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(MIGRATIONS_DIR, name), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** An older version does not know what a newer one did to the tables. */
function requireKnown(applied: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied
    .filter((name) => !known.has(name))
    .sort()
    .map((name) => `migrations/${name}`);
  if (unknown.length === 0) return;
  throw new Error(
    `${unknown.join(', ')} were applied to this database and are missing here: run the version that has them, or a newer one`,
  );
}

async function apply(client: pg.Client, migration: Migration, appliedHash: string | undefined): Promise<void> {
  if (appliedHash === migration.hash) return;
  if (appliedHash !== undefined)
    throw new Error(`migrations/${migration.name} was changed after it was applied; add a new file instead`);
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (name, hash) values ($1, $2)', [migration.name, migration.hash]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migrations/${migration.name} failed`, { cause: error });
  }
}

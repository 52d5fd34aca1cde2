/**
 * Applies the numbered files of migrations/, each once, each in a transaction of its own.
 *
 * The first line of a file may say two things about it:
 * - `-- no transaction`: it is one statement that PostgreSQL refuses in a transaction, such as `create index
 * concurrently if not exists`. It must be safe to run again after an interruption.
 * - `-- not additive: WHY`: the previous release does not work with the result, so there is no way back to it.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { LOCK_KEYS } from './lockKeys.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', 'migrations');
const OLDEST_SERVER = 150_000;
const LOCK_PAUSE_MS = 200;

interface Migration {
  name: string;
  sql: string;
  hash: string;
  additive: boolean;
  inTransaction: boolean;
}

interface Applied {
  hash: string;
  additive: boolean;
}

/**
 * Brings the database up to date. Safe to run from several processes at once. A database that a newer release has
 * migrated is left as it is, provided that everything that release added is additive.
 * @param dir the folder of the numbered files
 * @returns names of the applied migrations that are unknown to this release, oldest first
 * @throws {Error} when the server is too old, an applied file was changed since, or a newer release made a change with
 * which this one does not work
 */
export async function migrate(databaseUrl: string, dir = MIGRATIONS_DIR): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'attune-migrate' });
  await client.connect();
  try {
    await requireServerVersion(client);
    await lock(client);
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    await client.query('alter table migrations add column if not exists additive boolean not null default true');
    const applied = await readApplied(client);
    const migrations = await readMigrations(dir);
    const newer = newerThan(migrations, applied);
    for (const migration of migrations) await apply(client, migration, applied.get(migration.name)?.hash);
    return newer;
  } finally {
    await client.end();
  }
}

/**
 * Makes two concurrent migrators wait for each other. It polls for the lock, because waiting inside a statement would
 * hold up `create index concurrently`.
 */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LOCK_KEYS.migrate,
    ]);
    if (rows[0]?.locked === true) return;
    await setTimeout(LOCK_PAUSE_MS);
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version < OLDEST_SERVER) throw new Error(`PostgreSQL 15 or newer is needed, but the server is ${version}`);
}

async function readApplied(client: pg.Client): Promise<Map<string, Applied>> {
  const { rows } = await client.query<Applied & { name: string }>('select name, hash, additive from migrations');
  return new Map(rows.map((row) => [row.name, row]));
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8');
      return {
        name,
        sql,
        hash: createHash('sha256').update(sql).digest('hex'),
        additive: !sql.startsWith('-- not additive:'),
        inTransaction: !sql.startsWith('-- no transaction'),
      };
    }),
  );
}

/**
 * Returns the migrations of a newer release. Additions do not disturb an older release; after any other change it would
 * read or write a schema that no longer holds.
 */
function newerThan(migrations: readonly Migration[], applied: ReadonlyMap<string, Applied>): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = [...applied.keys()].filter((name) => !known.has(name)).sort();
  const breaking = newer.filter((name) => applied.get(name)?.additive === false).map((name) => `migrations/${name}`);
  if (breaking.length === 0) return newer;
  throw new Error(
    `${breaking.join(', ')} were applied to this database and are not additive: run the version that has them, or a newer one`,
  );
}

async function apply(client: pg.Client, migration: Migration, appliedHash: string | undefined): Promise<void> {
  if (appliedHash === migration.hash) return;
  if (appliedHash !== undefined)
    throw new Error(`migrations/${migration.name} was changed after it was applied; add a new file instead`);
  try {
    if (migration.inTransaction) await applyWhole(client, migration);
    else await applyOpenly(client, migration);
  } catch (error) {
    throw new Error(`migrations/${migration.name} failed`, { cause: error });
  }
}

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await recordMigration(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** After an interruption between the two statements, the first runs again at the next start. */
async function applyOpenly(client: pg.Client, migration: Migration): Promise<void> {
  await dropHalfBuiltIndexes(client);
  await client.query(migration.sql);
  await recordMigration(client, migration);
}

/** `if not exists` would mistake the unusable index of an interrupted build for the finished one. */
async function dropHalfBuiltIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ index: string }>(
    `select format('%I.%I', n.nspname, c.relname) as index
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
      where not i.indisvalid and c.relkind = 'i' and n.nspname = current_schema()`,
  );
  for (const { index } of rows) await client.query(`drop index concurrently if exists ${index}`);
}

async function recordMigration(client: pg.Client, { name, hash, additive }: Migration): Promise<void> {
  await client.query('insert into migrations (name, hash, additive) values ($1, $2, $3)', [name, hash, additive]);
}

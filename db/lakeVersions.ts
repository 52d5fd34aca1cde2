/** Which version of the lake's tables there is, and the triggers on its catalogue: a commit is tied to its staged batches, and no text stays there. */
import pg from 'pg';

/** Any constant will do, as long as it is ours (db/advisoryLock.ts). */
const LOCK_KEY = 4_817_231_911;

export interface LakeMark {
  /** A release refuses a newer one than it knows. */
  version: number;
  /** Tables beside those of the version, which a release that does not know them leaves alone. */
  additions: number;
}

export interface LakeVersion {
  newest: LakeMark;
  /** Of DuckLake's tables. */
  schema: string;
  /** Whoever opens it may not bring it up to date. */
  readOnly: boolean;
}

/**
 * Opens the lake with `open`; when its tables are not of the newest version, alone and with `upgrade` after it.
 * @throws when the lake was made by a newer version of the product, or has yet to be made and may only be read
 */
export async function withLakeVersion<T>(
  databaseUrl: string,
  target: LakeVersion,
  open: () => Promise<T>,
  upgrade: (opened: T, mark: LakeMark) => Promise<void>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'attune-lake-schema',
    connectionTimeoutMillis: 5_000,
  });
  // One that breaks while DuckDB is at work would end the process; the next statement says it.
  client.on('error', () => {});
  await client.connect();
  try {
    if (isUpToDate(await readMark(client, target), target)) return await open();
    if (target.readOnly) throw new Error('the lake is not up to date yet: worker-ingest makes it so');
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const opened = await open();
    const mark = await readMark(client, target);
    if (isUpToDate(mark, target)) return opened;
    await upgrade(opened, mark);
    await tieCommits(client, target.schema);
    await forgetExtremes(client, target.schema);
    await record(client, target);
    return opened;
  } finally {
    await client.end();
  }
}

/** Additions are counted below zero, where releases that know versions alone do not look. */
async function readMark(client: pg.Client, { newest }: LakeVersion): Promise<LakeMark> {
  const { rows } = await client.query<LakeMark>(
    'select coalesce(max(version), 0) as version, -least(min(version), 0) as additions from lake_versions',
  );
  const mark = rows[0] ?? { version: 0, additions: 0 };
  if (mark.version > newest.version)
    throw new Error(
      `the lake is of version ${mark.version}, this is a product for version ${newest.version}: run the version that made it, or a newer one`,
    );
  return mark;
}

function isUpToDate({ version, additions }: LakeMark, { newest }: LakeVersion): boolean {
  return version === newest.version && additions >= newest.additions;
}

async function record(client: pg.Client, { newest }: LakeVersion): Promise<void> {
  await client.query('insert into lake_versions (version) values ($1), ($2) on conflict do nothing', [
    newest.version,
    -newest.additions,
  ]);
}

/** DuckLake writes one row there for each commit, in the transaction that makes it. */
async function tieCommits(client: pg.Client, schema: string): Promise<void> {
  await client.query(
    `create or replace trigger lake_commit after insert on ${pg.escapeIdentifier(schema)}.ducklake_snapshot_changes
     for each row execute function take_lake_batches()`,
  );
}

/**
 * DuckLake keeps the least and the greatest value of each column of a table and never narrows them: the texts and ids
 * of somebody who was deleted long ago would stay in the catalogue and its backups. A trigger, since a writer may have
 * read them before they were removed. Files have extremes of their own, by which they are passed over, and which go
 * with them; numbers and times stay, for plans are made with them.
 */
async function forgetExtremes(client: pg.Client, schemaName: string): Promise<void> {
  const schema = pg.escapeIdentifier(schemaName);
  await client.query(
    `create or replace function ${schema}.forget_extremes() returns trigger language plpgsql as $$
     begin
       if exists (select from ${schema}.ducklake_column c
                   where c.table_id = new.table_id and c.column_id = new.column_id and c.column_type in ('varchar', 'uuid', 'json', 'blob')) then
         new.min_value := null;
         new.max_value := null;
       end if;
       return new;
     end $$`,
  );
  await client.query(
    `create or replace trigger forget_extremes before insert or update on ${schema}.ducklake_table_column_stats
     for each row when (new.min_value is not null or new.max_value is not null) execute function ${schema}.forget_extremes()`,
  );
  await client.query(
    `update ${schema}.ducklake_table_column_stats set min_value = min_value where min_value is not null or max_value is not null`,
  );
}

/**
 * The version of the lake's tables, and the triggers on its catalogue: a commit is tied to its staged batches, and no
 * text values stay in the catalogue.
 */
import pg from 'pg';
import { LOCK_KEYS } from '../lockKeys.ts';

export interface LakeMark {
  /** A release refuses a version that is newer than its own. */
  version: number;
  /** Number of tables that were added to those of the version. A release that does not know them leaves them alone. */
  additions: number;
}

export interface LakeVersion {
  newest: LakeMark;
  /** The schema of DuckLake's tables. */
  schema: string;
  /** The caller may not upgrade the lake. */
  readOnly: boolean;
}

/**
 * Opens the lake with `open`. When its tables are not of the newest version, it is opened exclusively and upgraded with
 * `upgrade` afterwards.
 * @throws when the lake was made by a newer version of the product, or when it is not up to date and may only be read
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
  // A connection error while DuckDB is working would end the process; the next statement reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    if (isUpToDate(await readMark(client, target), target)) return await open();
    if (target.readOnly) throw new Error('the lake is not up to date yet: worker-ingest has to update it');
    await client.query('select pg_advisory_lock($1)', [LOCK_KEYS.lakeSchema]);
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

/** Additions are stored as a negative number, which releases that only know versions ignore. */
async function readMark(client: pg.Client, { newest }: LakeVersion): Promise<LakeMark> {
  const { rows } = await client.query<LakeMark>(
    'select coalesce(max(version), 0) as version, -least(min(version), 0) as additions from lake_versions',
  );
  const mark = rows[0] ?? { version: 0, additions: 0 };
  if (mark.version > newest.version)
    throw new Error(
      `the lake has version ${mark.version}, but this release knows only versions up to ${newest.version}: run the release that wrote the lake, or a newer one`,
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

/**
 * Ties the batches to the commits by a trigger: DuckLake writes one row into this table for each commit, in the
 * transaction of the commit.
 */
async function tieCommits(client: pg.Client, schema: string): Promise<void> {
  await client.query(
    `create or replace trigger lake_commit after insert on ${pg.escapeIdentifier(schema)}.ducklake_snapshot_changes
     for each row execute function take_lake_batches()`,
  );
}

/**
 * DuckLake keeps the minimum and maximum of each column of a table and never narrows them: texts and ids of a person
 * who was deleted long ago would stay in the catalogue and its backups. A trigger removes these values whenever they
 * are written; removing them once would not do, because a writer that read them earlier would write them back. The
 * minimum and maximum of numbers and times stay, because the planner uses them. Each file also has a minimum and a
 * maximum of its own, which serve to skip files and are deleted with the file.
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

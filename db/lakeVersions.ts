/** Which version of the lake's tables there is, and the trigger that ties a commit of the lake to its staged batches. */
import pg from 'pg';

/** Any constant will do, as long as it is ours (db/advisoryLock.ts). */
const LOCK_KEY = 4_817_231_911;

export interface LakeVersion {
  newest: number;
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
  upgrade: (opened: T, version: number) => Promise<void>,
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
    if ((await readVersion(client, target)) === target.newest) return await open();
    if (target.readOnly) throw new Error('the lake is not up to date yet: worker-ingest makes it so');
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const opened = await open();
    const version = await readVersion(client, target);
    if (version === target.newest) return opened;
    await upgrade(opened, version);
    await tieCommits(client, target.schema);
    await client.query('insert into lake_versions (version) values ($1)', [target.newest]);
    return opened;
  } finally {
    await client.end();
  }
}

async function readVersion(client: pg.Client, { newest }: LakeVersion): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from lake_versions',
  );
  const version = rows[0]?.version ?? 0;
  if (version > newest)
    throw new Error(
      `the lake is of version ${version}, this is a product for version ${newest}: run the version that made it, or a newer one`,
    );
  return version;
}

/** DuckLake writes one row there for each commit, in the transaction that makes it. */
async function tieCommits(client: pg.Client, schema: string): Promise<void> {
  await client.query(
    `create or replace trigger lake_commit after insert on ${pg.escapeIdentifier(schema)}.ducklake_snapshot_changes
     for each row execute function take_lake_batches()`,
  );
}

/** Which version of the lake's tables there is, and the trigger that ties a commit of the lake to its staged batches. */
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

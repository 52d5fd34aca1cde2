/** Creates a DuckDB instance with its settings and with the catalogue attached. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdir } from 'node:fs/promises';
import { partsOf } from '../../db/pool.ts';
import { provideAuthorities, provideBucketAuthorities, tlsParameters } from './encryption.ts';
import { quotedText } from '../sql/quotedText.ts';
import { putS3Keys } from './s3Keys.ts';
import type { LakeSettings } from './lakeSettings.ts';

/** The schema of DuckLake's own tables in PostgreSQL. */
export const CATALOGUE_SCHEMA = 'lake';

/** The name of the attached PostgreSQL, for data that is not in the lake. */
export const SITES_DATABASE = 'pg';

/**
 * A killed engine cannot cancel its queries in PostgreSQL, so PostgreSQL checks every second whether the client still
 * exists. The statement timeout, which no report reaches, ends a query whose machine no longer exists.
 */
const SITES_SESSION = '-c client_connection_check_interval=1s -c statement_timeout=1h';

/** Maximum number of connections of one process to PostgreSQL: for a writer, its reads and upkeep. */
const CATALOGUE_CONNECTIONS = 8;

/** Creates the instance; its settings can no longer be changed. */
export async function createDatabase(settings: LakeSettings): Promise<DuckDBInstance> {
  if (settings.data.kind === 'local' && settings.readOnly !== true) await mkdir(settings.data.dir, { recursive: true });
  await provideAuthorities(settings);
  const instance = await DuckDBInstance.create(':memory:', {
    ...(settings.extensionsDir !== null && { extension_directory: settings.extensionsDir }),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...(settings.areExtensionsTrusted && { allow_unsigned_extensions: 'true' }),
    memory_limit: `${settings.memoryMb}MB`,
    threads: String(settings.threads),
    temp_directory: settings.tempDir,
    ...(settings.tempMb !== undefined && { max_temp_directory_size: `${settings.tempMb}MB` }),
  });
  try {
    const connection = await instance.connect();
    await prepare(connection, settings);
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function prepare(connection: DuckDBConnection, settings: LakeSettings): Promise<void> {
  await connection.run(`set global TimeZone = 'UTC'`);
  await connection.run('load postgres_scanner');
  await connection.run('load ducklake');
  if (settings.data.kind === 's3') {
    await connection.run('load httpfs');
    const authorities = await provideBucketAuthorities(settings.data.endpoint, settings.tempDir);
    if (authorities !== null) await connection.run(`set global ca_cert_file = ${quotedText(authorities)}`);
    await putS3Keys(connection, settings.data);
  }
  await connection.run(`set pg_pool_max_connections = ${CATALOGUE_CONNECTIONS}`);
  await attach(connection, settings);
  if (settings.isConfined === true) await confine(connection, settings);
  await connection.run('set lock_configuration = true');
}

/**
 * Confines the instance: no statement can read or write any file except the lake's and its own temporary ones, or reach
 * another database.
 */
async function confine(connection: DuckDBConnection, settings: LakeSettings): Promise<void> {
  await connection.run(attachSites(settings));
  // DuckDB adds the folder of temporary files automatically.
  await connection.run(`set global allowed_directories = [${quotedText(dataPath(settings))}]`);
  await connection.run('set global enable_external_access = false');
}

/**
 * Attaches the catalogue. The password is passed in a secret, because errors and catalogues show the path of an
 * attached database. Inlining of rows is off: it would break readers when the rows are flushed (DuckLake 1.0 in DuckDB
 * 1.5.5).
 */
async function attach(connection: DuckDBConnection, settings: LakeSettings): Promise<void> {
  const secret = Object.entries(partsOf(settings.databaseUrl)).flatMap(([name, value]) =>
    value ? [`${name} ${quotedText(String(value))}`] : [],
  );
  await connection.run(`create secret lake_catalogue (type postgres, ${secret.join(', ')})`);
  const path = `ducklake:postgres:${connectionParameters(settings, 'attune-lake')}`;
  await connection.run(
    `attach ${quotedText(path)} as lake (data_path ${quotedText(dataPath(settings))}, metadata_schema '${CATALOGUE_SCHEMA}', meta_secret 'lake_catalogue', data_inlining_row_limit 0${settings.readOnly === true ? ', read_only' : ''})`,
  );
}

/** Returns the statement that attaches PostgreSQL itself, read-only; it runs once for an instance. */
export function attachSites(settings: LakeSettings): string {
  const words = connectionParameters(settings, 'attune-reports', SITES_SESSION);
  return `attach if not exists ${quotedText(words)} as ${SITES_DATABASE} (type postgres, read_only, secret lake_catalogue)`;
}

/**
 * Returns connection parameters for attaching PostgreSQL; host and user are in the secret `lake_catalogue`.
 * @param options settings of the session: `-c name=value …`
 */
function connectionParameters(settings: LakeSettings, applicationName: string, options = ''): string {
  return [
    `application_name=${applicationName}`,
    'connect_timeout=5',
    'keepalives_idle=10',
    ...tlsParameters(settings),
    ...(options === '' ? [] : [`options='${options}'`]),
  ].join(' ');
}

/** Returns the folder or address of the Parquet files, with a slash at its end. */
export function dataPath({ data }: LakeSettings): string {
  if (data.kind === 'local') return `${data.dir}/`;
  return `s3://${data.bucket}/${data.prefix === '' ? '' : `${data.prefix}/`}`;
}

/** DuckDB's keys for the lake's bucket: keys from the settings, or temporary keys from the machine's role. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { MAX_REPORT_SECONDS } from '../../domain/reports/reportTime.ts';
import { quotedText } from '../sql/quotedText.ts';
import { LakeError } from './lakeFaults.ts';
import type { LakeData } from './lakeSettings.ts';

/** Keys are replaced this long before they expire, so they do not expire during a report. */
const RENEW_BEFORE_MS = MAX_REPORT_SECONDS * 1000;

type Bucket = Extract<LakeData, { kind: 's3' }>;

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

/**
 * Stores the keys in DuckDB.
 * @returns epoch milliseconds of their expiry; Infinity if they do not expire
 */
export async function putS3Keys(connection: DuckDBConnection, data: Bucket): Promise<number> {
  const keys: Keys = data.credentials ?? (await keysOfTheMachine(data));
  await connection.run(secretOf(data, keys));
  return keys.expiration?.getTime() ?? Infinity;
}

/**
 * Returns a function that replaces keys shortly before they expire, once for all simultaneous callers. If there are no
 * new ones, the old ones are used as long as they are valid.
 */
export function createKeyRenewal(data: LakeData): (connection: DuckDBConnection) => Promise<void> {
  if (data.kind === 'local' || data.credentials !== null) return () => Promise.resolve();
  let until = 0;
  let renewing: Promise<void> | null = null;
  return async (connection) => {
    if (until - RENEW_BEFORE_MS > Date.now()) return;
    renewing ??= putS3Keys(connection, data)
      .then((end) => void (until = end))
      .catch((error: unknown) => {
        // Before the first renewal, DuckDB has the keys with which the lake was opened.
        if (until !== 0 && until <= Date.now()) throw error;
      })
      .finally(() => (renewing = null));
    await renewing;
  };
}

/**
 * Reads the keys as Amazon's tools do: from variables, files, the container's role or the machine's role.
 * @throws {LakeError} that reports/engines/errors.ts takes for a place that cannot be reached
 */
async function keysOfTheMachine({ region }: Bucket): Promise<Keys> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ region });
  try {
    return await client.config.credentials();
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new LakeError(`Connection Error: Amazon's client found no keys for the bucket: ${fault}`, { cause: error });
  } finally {
    client.destroy();
  }
}

function secretOf({ region, endpoint, forcePathStyle }: Bucket, keys: Keys): string {
  const url = endpoint === null ? null : new URL(endpoint);
  const parts = [
    'type s3',
    `region ${quotedText(region)}`,
    `url_style '${forcePathStyle ? 'path' : 'vhost'}'`,
    `key_id ${quotedText(keys.accessKeyId)}`,
    `secret ${quotedText(keys.secretAccessKey)}`,
    ...(keys.sessionToken === undefined ? [] : [`session_token ${quotedText(keys.sessionToken)}`]),
    ...(url === null
      ? []
      : [`endpoint ${quotedText(url.host + url.pathname.replace(/\/$/, ''))}`, `use_ssl ${url.protocol === 'https:'}`]),
  ];
  return `create or replace secret lake_data (${parts.join(', ')})`;
}

/** DuckDB's keys for the lake's bucket: keys from the settings, or temporary keys from the machine's role. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quotedText } from '../sql/quotedText.ts';
import type { LakeData } from './lakeSettings.ts';

/** Keys are replaced this long before they expire: no report takes longer, so keys do not expire during one. */
const RENEW_BEFORE_MS = 5 * 60_000;

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

/** Returns a function that replaces keys shortly before they expire, once for all simultaneous callers. */
export function createKeyRenewal(data: LakeData): (connection: DuckDBConnection) => Promise<void> {
  if (data.kind === 'local' || data.credentials !== null) return () => Promise.resolve();
  let until = 0;
  let renewing: Promise<void> | null = null;
  return async (connection) => {
    if (until - RENEW_BEFORE_MS > Date.now()) return;
    renewing ??= putS3Keys(connection, data)
      .then((end) => void (until = end))
      .finally(() => (renewing = null));
    await renewing;
  };
}

/** Reads the keys as Amazon's tools do: from variables, files, the container's role or the machine's role. */
async function keysOfTheMachine({ region }: Bucket): Promise<Keys> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ region });
  try {
    return await client.config.credentials();
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

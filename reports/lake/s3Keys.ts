/** DuckDB's keys for the lake's bucket: those of the settings, or those that the machine's role gives for some hours. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from './literal.ts';
import type { LakeData } from './settings.ts';

/** A report that begins now is done by then. */
const RENEW_BEFORE_MS = 5 * 60_000;

type Bucket = Extract<LakeData, { kind: 's3' }>;

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

/** @returns epoch milliseconds until which the keys hold; Infinity when they do not end */
export async function putS3Keys(connection: DuckDBConnection, data: Bucket): Promise<number> {
  const keys: Keys = data.credentials ?? (await keysOfTheMachine(data));
  await connection.run(secretOf(data, keys));
  return keys.expiration?.getTime() ?? Infinity;
}

/** Puts new keys in place of those that end soon, once for all who ask at the same time. */
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

/** As Amazon's tools find them: variables, files, the container's role, the machine's. */
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
    `region ${literal(region)}`,
    `url_style '${forcePathStyle ? 'path' : 'vhost'}'`,
    `key_id ${literal(keys.accessKeyId)}`,
    `secret ${literal(keys.secretAccessKey)}`,
    ...(keys.sessionToken === undefined ? [] : [`session_token ${literal(keys.sessionToken)}`]),
    ...(url === null
      ? []
      : [`endpoint ${literal(url.host + url.pathname.replace(/\/$/, ''))}`, `use_ssl ${url.protocol === 'https:'}`]),
  ];
  return `create or replace secret lake_data (${parts.join(', ')})`;
}

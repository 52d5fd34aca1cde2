/**
 * The servers that DuckDB trusts. node-postgres and PostgreSQL's own library, which DuckDB uses, read the same address
 * differently: the library ignores `ssl=true`, and checks no certificate with `sslmode=require`. A server that only
 * claims to be PostgreSQL would get the password and the data of reports.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { LakeSettings } from './lakeSettings.ts';

type Address = Pick<LakeSettings, 'databaseUrl' | 'tempDir'>;

const SETTINGS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
/** Modes in which node-postgres checks nothing either. */
const UNVERIFIED: ReadonlySet<string | null> = new Set(['disable', 'no-verify']);
/** Modes that node-postgres reads as PostgreSQL's library does if the address has `uselibpqcompat`. */
const COMPATIBLE: ReadonlySet<string | null> = new Set(['disable', 'prefer', 'require', 'verify-ca', 'verify-full']);

/**
 * Returns the connection parameters, quoted for PostgreSQL's library: DuckDB verifies the server wherever node-postgres
 * does.
 */
export function tlsParameters(address: Address): string[] {
  const { searchParams } = new URL(address.databaseUrl);
  const given = new Map(SETTINGS.map((name) => [name, searchParams.get(name)]));
  if (isVerified(searchParams)) {
    given.set('sslmode', 'verify-full');
    if (needsAuthorities(searchParams)) given.set('sslrootcert', fileOf(address));
  } else if (given.get('sslmode') === 'no-verify') {
    // PostgreSQL's library has another word for it, with which it verifies the server if it is given an authority.
    given.set('sslmode', 'require').delete('sslrootcert');
  }
  return [...given].flatMap(([name, value]) => (value === null ? [] : [`${name}=${quoted(value)}`]));
}

function quoted(value: string): string {
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** Writes the authorities that Node trusts, with those of NODE_EXTRA_CA_CERTS, if the address names no others. */
export async function provideAuthorities(address: Address): Promise<void> {
  if (needsAuthorities(new URL(address.databaseUrl).searchParams))
    await write(fileOf(address), getCACertificates('default'));
}

/**
 * Writes the authorities that vouch for buckets: those of the system, which DuckDB finds by itself, and those of Node
 * with NODE_EXTRA_CA_CERTS, which it does not know.
 * @param endpoint of the buckets; null is Amazon's
 * @returns the file; null if those of the system are enough
 */
export async function provideBucketAuthorities(endpoint: string | null, tempDir: string): Promise<string | null> {
  const isEncrypted = endpoint === null || /^https:/i.test(endpoint);
  if (!isEncrypted || getCACertificates('extra').length === 0) return null;
  const path = join(tempDir, 'bucket-authorities.pem');
  await write(path, [...getCACertificates('system'), ...getCACertificates('default')]);
  return path;
}

async function write(path: string, authorities: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  await writeFile(written, [...new Set(authorities)].join('\n'));
  await rename(written, path);
}

function fileOf({ tempDir }: Address): string {
  return join(tempDir, 'authorities.pem');
}

function needsAuthorities(parameters: URLSearchParams): boolean {
  return isVerified(parameters) && !parameters.has('sslrootcert');
}

function isVerified(parameters: URLSearchParams): boolean {
  const exempt = parameters.get('uselibpqcompat') === 'true' ? COMPATIBLE : UNVERIFIED;
  if (exempt.has(parameters.get('sslmode'))) return false;
  const isEncrypted = /^(?:true|1)$/.test(parameters.get('ssl') ?? '') || parameters.get('sslnegotiation') === 'direct';
  return isEncrypted || SETTINGS.some((name) => parameters.has(name));
}

/**
 * How DuckDB's connections to PostgreSQL are encrypted. node-postgres and PostgreSQL's own library, which DuckDB has,
 * read the same address differently: for the latter `ssl=true` means nothing, and `sslmode=require` checks no
 * certificate. A server that only claims to be PostgreSQL would get the password and the data of reports.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { LakeSettings } from './settings.ts';

type Address = Pick<LakeSettings, 'databaseUrl' | 'tempDir'>;

const SETTINGS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
/** Modes in which node-postgres checks nothing either. */
const UNVERIFIED: ReadonlySet<string | null> = new Set(['disable', 'no-verify']);

/** Returns the connection parameters: DuckDB verifies the server wherever node-postgres does. */
export function encryptionWords(address: Address): string[] {
  const { searchParams } = new URL(address.databaseUrl);
  const given = new Map(SETTINGS.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name)]] : [])));
  if (isVerified(searchParams)) {
    given.set('sslmode', 'verify-full');
    if (needsAuthorities(searchParams)) given.set('sslrootcert', fileOf(address));
  }
  return [...given].map(([name, value]) => `${name}=${value}`);
}

/** Writes the authorities that Node trusts, with those of NODE_EXTRA_CA_CERTS, if the address names no others. */
export async function provideAuthorities(address: Address): Promise<void> {
  if (!needsAuthorities(new URL(address.databaseUrl).searchParams)) return;
  await mkdir(address.tempDir, { recursive: true });
  const written = `${fileOf(address)}.${process.pid}`;
  await writeFile(written, getCACertificates('default').join('\n'));
  await rename(written, fileOf(address));
}

function fileOf({ tempDir }: Address): string {
  return join(tempDir, 'authorities.pem');
}

function needsAuthorities(parameters: URLSearchParams): boolean {
  return isVerified(parameters) && !parameters.has('sslrootcert');
}

/** With `uselibpqcompat`, node-postgres reads the address as PostgreSQL's library does. */
function isVerified(parameters: URLSearchParams): boolean {
  if (parameters.get('uselibpqcompat') === 'true' || UNVERIFIED.has(parameters.get('sslmode'))) return false;
  const isEncrypted = /^(?:true|1)$/.test(parameters.get('ssl') ?? '') || parameters.get('sslnegotiation') === 'direct';
  return isEncrypted || SETTINGS.some((name) => parameters.has(name));
}

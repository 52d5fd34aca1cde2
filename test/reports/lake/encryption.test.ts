/** DuckDB and node-postgres encrypt and verify their connections to PostgreSQL alike, whatever the address says. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase } from '../../../reports/lake/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testDuckdbExtensions } from '../../support/engines.ts';
import { encryptPostgres, type EncryptedPostgres } from '../../support/postgresTls.ts';
import { TLS_FILES } from '../../support/temporalTls.ts';

let database: TestDatabase;
let encrypted: EncryptedPostgres;
let folder: string;
let extensionsDir: string;

beforeAll(async () => {
  [database, folder, extensionsDir] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'attune-lake-tls-')),
    testDuckdbExtensions(),
  ]);
  encrypted = await encryptPostgres(database.url);
});
afterAll(async () => {
  await encrypted?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  encrypted.trusted = 0;
});

function addressWith(query: string): string {
  const url = new URL(encrypted.url);
  url.search = query;
  return url.href;
}

async function byNode(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

async function byDuckdb(databaseUrl: string): Promise<void> {
  const instance = await createDatabase({
    databaseUrl,
    data: { kind: 'local', dir: join(folder, 'lake') },
    extensionsDir,
    areExtensionsTrusted: true,
    tempDir: join(folder, 'temp'),
    memoryMb: 256,
    threads: 1,
  });
  instance.closeSync();
}

const ASKING = ['ssl=true', 'sslmode=require', 'sslmode=prefer', 'sslmode=verify-ca', 'sslmode=verify-full'];

describe.each([
  ['node-postgres', byNode],
  ['DuckDB', byDuckdb],
])('%s', (_, open) => {
  it.each(ASKING)('with %s says nothing to a server that nobody vouches for', async (query) => {
    await expect(open(addressWith(query))).rejects.toThrow(/certificate/);
    expect(encrypted.trusted).toBe(0);
  });

  it.each(ASKING.filter((query) => query !== 'ssl=true'))('with %s trusts the given authority', async (query) => {
    await open(addressWith(`${query}&sslrootcert=${TLS_FILES.ca}`));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });

  it.each(ASKING)('with %s trusts the authorities that Node trusts', async (query) => {
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, await readFile(TLS_FILES.ca, 'utf8')]);
    try {
      await open(addressWith(query));
      expect(encrypted.trusted).toBeGreaterThan(0);
    } finally {
      setDefaultCACertificates(usual);
    }
  });
});

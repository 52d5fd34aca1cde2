/** DuckDB and node-postgres encrypt and verify their connections to PostgreSQL alike, whatever the address says. */
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase } from '../../../reports/lake/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testDuckdbExtensions } from '../../support/programs/engines.ts';
import { encryptPostgres, type EncryptedPostgres } from '../../support/servers/postgresTls.ts';
import { TLS_FILES } from '../../support/servers/temporalTls.ts';

/** An authority that does not vouch for the test's server. */
const PUBLIC = join(import.meta.dirname, '../../platform/outgoing/fixtures/client.pem');

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

async function byDuckdb(databaseUrl: string, tempDir = join(folder, 'temp')): Promise<void> {
  const instance = await createDatabase({
    databaseUrl,
    data: { kind: 'local', dir: join(folder, 'lake') },
    extensionsDir,
    areExtensionsTrusted: true,
    tempDir,
    memoryMb: 256,
    threads: 1,
  });
  instance.closeSync();
}

/** Runs the work while Node trusts the authority of the test's server. */
async function trustingOurs(work: () => Promise<void>): Promise<void> {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, await readFile(TLS_FILES.ca, 'utf8')]);
  try {
    await work();
  } finally {
    setDefaultCACertificates(usual);
  }
}

/** `uselibpqcompat` changes nothing for node-postgres in the last three, which name no mode that it knows. */
const ASKING = [
  'ssl=true',
  'sslmode=require',
  'sslmode=prefer',
  'sslmode=verify-ca',
  'sslmode=verify-full',
  'uselibpqcompat=true&ssl=true',
  'uselibpqcompat=true&ssl=true&sslmode=',
  'uselibpqcompat=true&sslmode=allow',
];

describe.each([
  ['node-postgres', byNode],
  ['DuckDB', (databaseUrl: string) => byDuckdb(databaseUrl)],
])('%s', (_, open) => {
  it.each(ASKING)('with %s says nothing to a server that nobody vouches for', async (query) => {
    await expect(open(addressWith(query))).rejects.toThrow(/certificate/);
    expect(encrypted.trusted).toBe(0);
  });

  it.each(ASKING)('with %s trusts the given authority', async (query) => {
    await open(addressWith(`${query}&sslrootcert=${TLS_FILES.ca}`));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });

  it.each(ASKING)('with %s trusts the authorities that Node trusts', async (query) => {
    await trustingOurs(() => open(addressWith(query)));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });

  it.each(['sslmode=no-verify', `sslmode=no-verify&sslrootcert=${PUBLIC}`])('with %s trusts anybody', async (query) => {
    await open(addressWith(query));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });

  it("with uselibpqcompat=true&sslmode=require trusts anybody, as PostgreSQL's library does", async () => {
    await open(addressWith('uselibpqcompat=true&sslmode=require'));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });
});

describe('a folder with a space, a quote and a backslash in its name', () => {
  const NAME = `editor's \\ temp`;

  it('can hold the temporary files', async () => {
    await trustingOurs(() => byDuckdb(addressWith('ssl=true'), join(folder, NAME)));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });

  it('can hold the certificate of the given authority', async () => {
    await mkdir(join(folder, NAME), { recursive: true });
    const authority = join(folder, NAME, 'ca.pem');
    await copyFile(TLS_FILES.ca, authority);
    await byDuckdb(addressWith(`sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`));
    expect(encrypted.trusted).toBeGreaterThan(0);
  });
});

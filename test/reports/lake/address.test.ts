/** DuckDB reads the address of PostgreSQL as node-postgres does. */
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase } from '../../../reports/lake/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testDuckdbExtensions } from '../../support/programs/engines.ts';

let database: TestDatabase;
let folder: string;
/** Passes on connections by IPv6. */
let proxy: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'attune-lake-address-'));
  const { hostname, port } = new URL(database.url);
  proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '::1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  proxy?.close();
  await rm(folder, { recursive: true, force: true });
  await database?.drop();
});

async function byNode(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.end();
}

async function byDuckdb(databaseUrl: string): Promise<void> {
  const instance = await createDatabase({
    databaseUrl,
    data: { kind: 'local', dir: join(folder, 'lake') },
    extensionsDir: await testDuckdbExtensions(),
    areExtensionsTrusted: true,
    tempDir: join(folder, 'temp'),
    memoryMb: 256,
    threads: 1,
  });
  instance.closeSync();
}

const FORMS: Readonly<Record<string, (url: URL) => string>> = {
  'an IPv6 address': ({ username, password, pathname }) =>
    `postgres://${username}:${password}@[::1]:${(proxy.address() as AddressInfo).port}${pathname}`,
  parameters: ({ username, password, hostname, port, pathname }) =>
    `postgres://nobody@nowhere.invalid:1${pathname}?${new URLSearchParams({ user: decodeURIComponent(username), password: decodeURIComponent(password), host: hostname, port })}`,
};

it.each(Object.keys(FORMS))('an address with %s is accepted by node-postgres and DuckDB alike', async (name) => {
  const url = FORMS[name]?.(new URL(database.url)) ?? '';
  await expect(byNode(url)).resolves.toBeUndefined();
  await expect(byDuckdb(url)).resolves.toBeUndefined();
});

/** A connection to PostgreSQL that breaks while a report uses it, as when the server's machine or the network fails. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Engine } from '../../../reports/engines/engine.ts';
import { EngineFault } from '../../../reports/engines/errors.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { encryptPostgres } from '../../support/servers/postgresTls.ts';

const ENTRY = fileURLToPath(new URL('support/child.ts', import.meta.url));

let database: TestDatabase;
let test: TestLake;
beforeAll(async () => {
  database = await createTestDatabase();
  test = await openTestLake(database.url);
});
afterAll(async () => {
  await test?.close();
  await database?.drop();
});

interface Broken {
  url: URL;
  close(): Promise<void>;
}

async function encrypted(): Promise<Broken> {
  const proxy = await encryptPostgres(database.url);
  proxy.url.search = 'uselibpqcompat=true&sslmode=require';
  return proxy;
}

/** Resets all connections when it is closed. */
async function plain(): Promise<Broken> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await once(server, 'close');
    },
  };
}

it.each([
  ['a reset connection', plain],
  ['an encrypted connection that ends', encrypted],
])('%s makes a running report fail as unavailable', async (_, start) => {
  const proxy = await start();
  const engine = new Engine(ENTRY, { ...test.settings, databaseUrl: proxy.url.href });
  await engine.opened();
  const failed = engine
    .run(
      {
        kind: 'report',
        request: {
          dimensions: [],
          metrics: ['sleep'],
          date_from: '2026-03-15',
          date_to: '2026-03-15',
          filters: [],
          segment: null,
          attribution: 'last',
          robots: 'exclude',
          sort: [],
          limit: 1,
          offset: 0,
        },
        site: { siteId: 'site00000001', timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] },
        options: { language: 'en', sampled: false, lateEventHours: 24, audienceMinPeople: 1 },
      },
      60,
    )
    .then(
      () => null,
      (error: unknown) => error,
    );
  await eventually(async () => {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  }, 'PostgreSQL works');
  await proxy.close();
  const error = await failed;
  expect([error instanceof EngineFault && error.kind, String(error)]).toEqual(['unavailable', expect.any(String)]);
  await engine.close();
});

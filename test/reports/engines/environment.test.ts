/** An engine inherits what its servers require: the authorities that it trusts, and the way to the keys of a bucket. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { Engine } from '../../../reports/engines/engine.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { LakeSettings } from '../../../reports/lake/index.ts';
import type { Answer } from '../../../reports/mapAndVisitQuestions.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, visitRow, type TestLake } from '../../support/lake/lake.ts';
import { encryptPostgres, type EncryptedPostgres } from '../../support/servers/postgresTls.ts';
import { createTestBucket } from '../../support/servers/s3.ts';
import { TLS_FILES } from '../../support/servers/temporalTls.ts';

const ENTRY = fileURLToPath(new URL('../../../reports/engines/child.ts', import.meta.url));
/** The only account of the tests' S3 server. */
const KEYS = { AccessKeyId: 'S3RVER', SecretAccessKey: 'S3RVER' };
const OUR_AUTHORITY = { NODE_EXTRA_CA_CERTS: TLS_FILES.ca };

let database: TestDatabase;
let test: TestLake;
let encrypted: EncryptedPostgres;
let role: Server;
let bucket: Server;
/** The settings of an engine for a lake in a bucket; the lake has one visit. */
let settings: LakeSettings & { data: { kind: 's3' } };

beforeAll(async () => {
  database = await createTestDatabase();
  encrypted = await encryptPostgres(database.url);
  const s3 = await createTestBucket();
  test = await openTestLake(database.url, { s3 });
  settings = { ...test.settings, data: { kind: 's3', prefix: 'lake', ...s3 }, memoryMb: 128 };
  await inTransaction(database.pool, async (client) =>
    stageRows(client, 0, await nextBatchId(client), { visits: [visitRow()] }),
  );
  await commitStaged(test.lake, database.pool, [0]);
  role = createServer((_request, response) => {
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    response.end(JSON.stringify({ ...KEYS, Token: 'a token', Expiration }));
  }).listen(0, '127.0.0.1');
  bucket = encryptBucket(new URL(s3.endpoint ?? ''));
  await Promise.all([once(role, 'listening'), once(bucket, 'listening')]);
});
afterAll(async () => {
  role?.close();
  bucket?.close();
  await encrypted?.close();
  await test?.close();
  await database?.drop();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A proxy of the S3 server, with a certificate of our authority. */
function encryptBucket({ hostname, port }: URL): Server {
  const certificate = readFileSync(TLS_FILES.server);
  return createTlsServer({ cert: certificate, key: certificate }, (near) => {
    const far = connect(Number(port), hostname);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  })
    .on('tlsClientError', () => {})
    .listen(0, '127.0.0.1');
}

/** Runs a report on the visit in a new engine. */
async function report(given: LakeSettings): Promise<Answer> {
  const engine = new Engine(ENTRY, given);
  try {
    await engine.opened();
    return await engine.run(
      {
        kind: 'report',
        request: {
          dimensions: [],
          metrics: ['visits'],
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
    );
  } finally {
    await engine.close();
  }
}

describe('an engine', () => {
  it('trusts a PostgreSQL server whose authority is in NODE_EXTRA_CA_CERTS', async () => {
    const url = new URL(encrypted.url);
    url.search = 'sslmode=verify-full';
    const verified = { ...settings, databaseUrl: url.href };
    await expect(report(verified)).rejects.toThrow(/certificate/);
    expect(await report({ ...verified, environment: OUR_AUTHORITY })).toMatchObject({ totals: [1] });
    expect(encrypted.trusted).toBeGreaterThan(0);
  });

  it('trusts a bucket whose authority is in NODE_EXTRA_CA_CERTS', async () => {
    const inBucket = { ...settings, data: { ...settings.data, endpoint: `https://localhost:${portOf(bucket)}` } };
    await expect(report(inBucket)).rejects.toThrow(/certificate/);
    expect(await report({ ...inBucket, environment: OUR_AUTHORITY })).toMatchObject({ totals: [1] });
  });

  it("finds the keys of a container's role", async () => {
    const ofRole = { ...settings, data: { ...settings.data, credentials: null } };
    const environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${portOf(role)}/` };
    expect(await report({ ...ofRole, environment })).toMatchObject({ totals: [1] });
  });
});

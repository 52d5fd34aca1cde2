/**
 * A lake in a bucket without keys in the settings: the machine's role provides keys, and new ones before they
 * expire.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kindOf } from '../../../reports/engines/errors.ts';
import { openLake } from '../../../reports/lake/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { createTestBucket } from '../../support/servers/s3.ts';

let database: TestDatabase;
let role: Server;
let test: TestLake;
let asked = 0;
/** Lifetime of the next keys. */
let minutes = 60;
/** Whether the role gives no keys. */
let isAway = false;

beforeAll(async () => {
  database = await createTestDatabase();
  role = createServer((_request, response) => {
    asked += 1;
    if (isAway) {
      response.writeHead(500).end();
      return;
    }
    const Expiration = new Date(Date.now() + minutes * 60_000).toISOString();
    response.end(JSON.stringify({ AccessKeyId: 'S3RVER', SecretAccessKey: 'S3RVER', Token: 'a token', Expiration }));
  }).listen(0, '127.0.0.1');
  await once(role, 'listening');
  process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `http://127.0.0.1:${(role.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  delete process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  await test?.close();
  role.close();
  await database?.drop();
});

describe('a lake without configured keys', () => {
  it('is opened and written with the keys of the role', async () => {
    minutes = 1;
    test = await openTestLake(database.url, { s3: { ...(await createTestBucket()), credentials: null } });
    await test.lake.query('create table lake.t as select 7 as n');
    expect(await test.lake.query('select n from lake.t')).toEqual([{ n: 7 }]);
  });

  it('keeps using keys that are still valid if the role gives no new ones', async () => {
    isAway = true;
    const before = asked;
    expect(await test.lake.query('select n from lake.t')).toEqual([{ n: 7 }]);
    expect(asked).toBeGreaterThan(before);
  });

  it('uses the keys with which it was opened if the first renewal fails', async () => {
    isAway = false;
    const opened = await openLake(test.settings);
    isAway = true;
    expect(await opened.query('select n from lake.t')).toEqual([{ n: 7 }]);
    await opened.close();
  });

  it('is unreachable if the role gives no keys when it is opened', async () => {
    const error: unknown = await openLake(test.settings).catch((caught: unknown) => caught);
    expect([kindOf(error), String(error)]).toEqual(['unavailable', expect.stringContaining('found no keys')]);
    isAway = false;
  });

  it('requests new keys shortly before the old ones expire, and not earlier', async () => {
    const before = asked;
    minutes = 60;
    await test.lake.query('select n from lake.t');
    expect(asked).toBe(before + 1);
    await test.lake.query('select n from lake.t');
    expect(asked).toBe(before + 1);
  });

  it('requests new keys in an engine too, which reaches nothing but the lake', async () => {
    minutes = 1;
    const confined = await openLake({ ...test.settings, isConfined: true });
    const before = asked;
    expect(await confined.query('select n from lake.t')).toEqual([{ n: 7 }]);
    expect(asked).toBe(before + 1);
    await confined.close();
  });
});

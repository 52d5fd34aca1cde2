import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
});

/** Returns the error with which the database work ends. */
async function faultOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

describe('isDatabaseUnavailable', () => {
  it('recognises a server that does not exist', async () => {
    const url = new URL(database.url);
    url.port = '1';
    for (const host of ['127.0.0.1', 'localhost', 'no-such-host.invalid']) {
      url.hostname = host;
      const client = new pg.Client({ connectionString: url.href });
      expect(isDatabaseUnavailable(await faultOf(() => client.connect()))).toBe(true);
    }
  });

  it('recognises a Unix socket that does not exist', async () => {
    const client = new pg.Client({ host: '/nowhere', database: 'x', user: 'x' });
    expect(isDatabaseUnavailable(await faultOf(() => client.connect()))).toBe(true);
  });

  it('recognises a broken connection and a cancelled statement', async () => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waiting = faultOf(() => client.query('select pg_sleep(20)'));
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    expect(isDatabaseUnavailable(await waiting)).toBe(true);
    expect(isDatabaseUnavailable(await faultOf(() => client.query('select 1')))).toBe(true);
    const slow = await faultOf(() => database.pool.query(`set statement_timeout = 10; select pg_sleep(5)`));
    expect(isDatabaseUnavailable(slow)).toBe(true);
    await client.end().catch(() => {});
  });

  it('recognises a pool without a free connection', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 2_000 });
    const held = await pool.connect();
    expect(isDatabaseUnavailable(await faultOf(() => pool.query('select 1')))).toBe(true);
    held.release();
    await pool.end();
  });

  it('does not mistake a programming error for an outage', async () => {
    for (const sql of [
      'select nothing',
      'selec 1',
      `select 'x'::uuid`,
      'select 1/0',
      `insert into projects (id, client_id, title) values ('x', gen_random_uuid(), 't')`,
    ]) {
      expect(isDatabaseUnavailable(await faultOf(() => database.pool.query(sql)))).toBe(false);
    }
    expect(isDatabaseUnavailable(new TypeError('x is not a function'))).toBe(false);
    expect(isDatabaseUnavailable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
      false,
    );
  });
});

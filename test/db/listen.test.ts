import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '../../db/listen.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Heard {
  listener: Listener;
  notified: number;
  errors: Error[];
}

function hear(channel: string): Heard {
  const heard: Omit<Heard, 'listener'> = { notified: 0, errors: [] };
  const listener = listen(
    database.url,
    channel,
    () => (heard.notified += 1),
    (error) => heard.errors.push(error),
  );
  return Object.assign(heard, { listener });
}

async function backends(channel: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1',
    [`attune-listen-${channel}`],
  );
  return rows.map((row) => row.pid);
}

const terminate = async (channel: string): Promise<unknown> =>
  database.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await backends(channel)]);

describe('listen', () => {
  it('calls back for each notification, and once at the start', async () => {
    const heard = hear('plain');
    await eventually(() => heard.notified === 1, 'the first ring');
    await database.pool.query(`select pg_notify('plain', '')`);
    await eventually(() => heard.notified === 2, 'the notification');
    await heard.listener.close();
    expect(await eventually(async () => (await backends('plain')).length === 0, 'the end of its connection')).toBe(
      true,
    );
    expect(heard.errors).toEqual([]);
  });

  it('reconnects whenever its backend is ended, reports each loss once, and has one connection', async () => {
    const heard = hear('broken');
    for (let time = 1; time <= 2; time += 1) {
      await eventually(() => heard.notified === time, `ring ${time}`);
      await terminate('broken');
      await eventually(() => heard.errors.length === time, `error ${time}`);
    }
    await eventually(() => heard.notified === 3, 'the ring after the last break');
    expect(await backends('broken')).toHaveLength(1);
    await database.pool.query(`select pg_notify('broken', '')`);
    await eventually(() => heard.notified === 4, 'a notification to the last connection');
    expect(heard.errors).toHaveLength(2);
    await heard.listener.close();
  });

  it('leaves no connection behind when PostgreSQL refuses the LISTEN', async () => {
    const heard = hear(''); // an empty name is refused and the connection stays open
    await eventually(() => heard.errors.length === 3, 'the third refusal');
    expect(heard.errors[0]?.message).toContain('zero-length');
    await eventually(async () => (await backends('')).length === 0, 'the end of every refused connection');
    await heard.listener.close();
    expect(heard.notified).toBe(0);
  });

  it('is silent once it is closed, even if it was about to connect', async () => {
    const heard = hear('closed');
    await heard.listener.close();
    await eventually(async () => (await backends('closed')).length === 0, 'the end of its connection');
    await database.pool.query(`select pg_notify('closed', '')`);
    expect(heard).toMatchObject({ notified: 0, errors: [] });
  });
});

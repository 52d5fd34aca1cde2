import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { endShare, openWorkerSession, renewShare } from '../../../db/webhooks/deliveries/workerShares.ts';
import { DatabaseClock } from '../../../loops/delivery/databaseClock.ts';
import { WorkerShareRenewer } from '../../../loops/delivery/workerShare.ts';
import { AttemptSlots } from '../../../loops/delivery/attemptSlots.ts';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/servers/receiver.ts';
import { onServer, withDatabase } from '../../support/servers/template.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  recordEvent,
  startTestLanes,
} from '../../support/webhooks/webhooks.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';

let database: TestDatabase;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await cleanUp();
  await database.pool.query('delete from webhooks');
  await database.pool.query('delete from webhook_workers');
});
afterAll(() => database.drop());

/** Starts only the part of a worker that holds its share. */
function appear(url = database.url): { share: WorkerShareRenewer; clock: DatabaseClock; slots: AttemptSlots } {
  const [slots, clock] = [new AttemptSlots(), new DatabaseClock()];
  const share = new WorkerShareRenewer({
    databaseUrl: url,
    clock,
    slots,
    logger: createLogger('test', 'silent'),
    onRoom: () => undefined,
  });
  share.start();
  ends.push(() => share.close());
  return { share, clock, slots };
}

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const C = '00000000-0000-4000-8000-00000000000c';

async function openSession(): Promise<pg.Client> {
  const session = await openWorkerSession(database.url);
  ends.push(() => session.end());
  return session;
}

/** Reads what each worker is told, all in one session; ids distinguish the workers. */
const ask = (session: pg.Client, workerId: string, inForce: number) =>
  renewShare(session, { workerId, inForce, total: 16, silenceMs: 5_000, expiryMs: 16_000 });

const makeSilent = (workerId: string, seconds: number) =>
  database.pool.query(`update webhook_workers set renewed_at = now() - $2::int * interval '1 second' where id = $1`, [
    workerId,
    seconds,
  ]);

describe('the shares of the workers', () => {
  it('are everything for one worker, and never exceed the total while others come', async () => {
    const session = await openSession();
    expect(await ask(session, A, 0)).toEqual({ slots: 16, waits: false });
    expect(await ask(session, B, 0)).toEqual({ slots: 0, waits: true });
    expect(await ask(session, A, 16)).toEqual({ slots: 8, waits: false });
    expect(await ask(session, B, 0)).toEqual({ slots: 0, waits: true });
    expect(await ask(session, A, 11)).toEqual({ slots: 8, waits: false }); // three are still in progress
    expect(await ask(session, B, 0)).toEqual({ slots: 5, waits: true });
    expect(await ask(session, A, 8)).toEqual({ slots: 8, waits: false });
    expect(await ask(session, B, 5)).toEqual({ slots: 8, waits: false });
    expect(await ask(session, C, 0)).toEqual({ slots: 0, waits: true });
    await endShare(session, A);
    expect(await ask(session, C, 0)).toEqual({ slots: 8, waits: false });
  });

  it('are zero for a twentieth worker rather than exceed the total', async () => {
    const session = await openSession();
    const workers = Array.from({ length: 20 }, (_, number) => `00000000-0000-4000-8000-0000000000${10 + number}`);
    const askAll = async (): Promise<number[]> => {
      const shares: number[] = [];
      for (const worker of workers) shares.push((await ask(session, worker, 0)).slots);
      return shares;
    };
    expect(await askAll()).toEqual([16, ...Array.from({ length: 19 }, () => 0)]);
    expect(await askAll()).toEqual([...Array.from({ length: 16 }, () => 1), 0, 0, 0, 0]);
  });

  it('of a worker without a session are free once it is silent, and of one with a session only after its last attempt', async () => {
    const session = await openSession();
    const lost = await openSession();
    await ask(lost, A, 16);
    await makeSilent(A, 10);
    expect(await ask(session, B, 0)).toEqual({ slots: 0, waits: true });
    await lost.end();
    await eventually(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity a join webhook_workers w on w.id = $1 and a.pid = w.backend_pid`,
            [A],
          )
        ).rowCount === 0,
      'the end of the session',
    );
    // This may take 16 s after a start of PostgreSQL, which ended all sessions.
    await eventually(async () => (await ask(session, B, 0)).slots === 16, 'the part of the worker that is gone');
    await ask(session, C, 0);
    await makeSilent(B, 17);
    expect(await ask(session, C, 0)).toEqual({ slots: 16, waits: false });
  });

  it('are split between two workers, and return to one when the other stops', async () => {
    const [first, second] = [appear(), appear()];
    await eventually(() => first.slots.limit === 8 && second.slots.limit === 8, 'equal shares');
    await first.share.close();
    expect(await eventually(() => second.slots.limit === 16, 'the whole')).toBe(true);
  });

  it('arrive together with the time of the database', async () => {
    const { slots, clock } = appear();
    expect(() => clock.now()).toThrow('not known');
    await eventually(() => slots.limit > 0, 'a share');
    expect(clock.now()).toBeInstanceOf(Date);
  });

  it('stay taken by running requests until they end', async () => {
    const first = appear();
    await eventually(() => first.slots.limit === 16, "the first one's share");
    const releases = Array.from({ length: 16 }, () => first.slots.tryAcquire('webhook'));
    const second = appear();
    await eventually(() => first.slots.limit === 8, 'the smaller share');
    for (const release of releases.slice(0, 6)) release?.();
    await eventually(() => second.slots.limit === 6, 'what has become free');
    for (const release of releases) release?.();
    expect(await eventually(() => second.slots.limit === 8, 'an equal share')).toBe(true);
  });

  it('expire for a worker that cannot reach the database, and return with it', async () => {
    const { slots } = appear();
    await eventually(() => slots.limit === 16, 'a share');
    const allowConnections = (allowed: boolean): Promise<unknown> =>
      onServer(
        withDatabase(database.url, 'postgres'),
        `alter database "${new URL(database.url).pathname.slice(1)}" with allow_connections ${allowed}`,
      );
    // The test's own connections stay open.
    await allowConnections(false);
    try {
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'attune-webhook-share' and datname = current_database()`,
      );
      await eventually(() => slots.limit === 0, 'the end of the share');
    } finally {
      await allowConnections(true);
    }
    expect(await eventually(() => slots.limit === 16, 'the share again')).toBe(true);
  });
});

describe('two workers with one webhook', () => {
  // proves: decisions-guard/sixteen
  it('both send, never more than 16 requests together, and neither waits for its next poll', async () => {
    const held: (() => void)[] = [];
    const receiver = await startReceiver((response) => void held.push(() => response.end()));
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    const started: Lanes[] = [];
    ends.push(() => Promise.all(started.map((lanes) => lanes.close())));
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => recordEvent(database.pool, webhook.projectId, `item-${index}`)),
    );
    started.push(startTestLanes(database, { limits: { pollMs: 600_000 } }));
    await receiver.received(16);
    started.push(startTestLanes(database, { limits: { pollMs: 600_000 } }));
    receiver.answer = (response) => void setTimeout(() => response.end(), 10);
    for (const end of held) end();
    await receiver.received(200);
    await deliveriesUntil(database.pool, webhook, allSettled);
    expect(receiver.requests).toHaveLength(200);
    expect(receiver.mostAtOnce).toBe(16);
  });
});

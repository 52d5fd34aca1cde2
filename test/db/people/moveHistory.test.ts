import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { moveHistoryChunk } from '../../../db/people/moveHistory.ts';
import { inTransaction } from '../../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, readStates, sent, take } from '../../support/people/events.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import {
  addHistory,
  countHistory,
  identityOf,
  link,
  openJobs,
  remove,
  type People,
} from '../../support/people/people.ts';
import { createTestProject } from '../../support/project.ts';

const NOTHING = { facts: 0, states: 0, orders: 0 };

let database: TestDatabase;
let people: People;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  people = { pool: database.pool, projectId: await createTestProject(database.pool) };
});
afterAll(() => database.drop());

const chunk = (deviceId: string, limit: number, isLastPass = false) =>
  moveHistoryChunk(people.pool, { projectId: people.projectId, deviceId, limit, isLastPass });

async function passOver(deviceId: string, limit: number, isLastPass = false): Promise<number> {
  for (let rows = 0; ;) {
    const done = await chunk(deviceId, limit, isLastPass);
    rows += done.rows;
    if (done.state !== 'more') return rows;
  }
}

/** Creates a device with that many rows and links it to a user; returns the ids of both. */
async function linked(bulk: Parameters<typeof addHistory>[2]): Promise<{ device: string; user: string }> {
  const device = await identityOf(people, 'anonymous', 'd');
  await addHistory(people, device, bulk);
  await link(people, 'u', 'd');
  return { device, user: await identityOf(people, 'user', 'u') };
}

describe('moveHistoryChunk', () => {
  // proves: users/rule-1, decisions-people/link-rewriting
  it('moves everything, a limited number of rows at a time, and closes the job with the last pass', async () => {
    const { device, user } = await linked({ facts: 25, states: 12, orders: 7 });
    expect(await chunk(device, 10)).toEqual({ rows: 10, state: 'more' });
    expect(await countHistory(people, user)).toEqual({ facts: 3, states: 0, orders: 7 });
    expect(await passOver(device, 10)).toBe(34);
    expect(await countHistory(people, user)).toEqual({ facts: 25, states: 12, orders: 7 });
    expect(await countHistory(people, device)).toEqual(NOTHING);
    expect(await chunk(device, 10)).toEqual({ rows: 0, state: 'passed' });
    expect(await openJobs(people)).toHaveLength(1);
    await addHistory(people, device, { states: 1 });
    expect(await chunk(device, 10, true)).toEqual({ rows: 1, state: 'over' });
    expect(await openJobs(people)).toEqual([]);
  });

  it('moves nothing twice if several run at once', async () => {
    const { device, user } = await linked({ facts: 300, states: 200, orders: 100 });
    const moved = await Promise.all(Array.from({ length: 4 }, () => passOver(device, 40)));
    expect(moved.reduce((sum, rows) => sum + rows, 0)).toBe(600);
    expect(await countHistory(people, user)).toEqual({ facts: 300, states: 200, orders: 100 });
  });

  it('needs no statistics: a chunk of a large history is fast', async () => {
    const { device, user } = await linked({ facts: 100_000 });
    const durations: number[] = [];
    for (let state = 'more'; state === 'more';) {
      const begin = performance.now();
      ({ state } = await chunk(device, 5_000));
      durations.push(performance.now() - begin);
    }
    expect(await countHistory(people, user)).toMatchObject({ facts: 100_000 });
    expect(durations).toHaveLength(21);
    // A plan that compares keys takes more than ten seconds for each chunk; a busy machine may slow down some of them.
    expect(durations.toSorted((a, b) => a - b)[10]).toBeLessThan(5_000);
  });

  it('is not finished while somebody else locks what it found', async () => {
    const { device } = await linked({ facts: 3 });
    const held = await people.pool.connect();
    await held.query('begin');
    await held.query(`update events set surface = 'feed' where project_id = $1 and identity_id = $2`, [
      people.projectId,
      device,
    ]);
    const waiting = passOver(device, 10, true);
    await untilWaiting(people.pool, 1);
    await held.query('commit');
    held.release();
    expect(await waiting).toBe(3);
    expect(await countHistory(people, device)).toEqual(NOTHING);
    expect(await openJobs(people)).toEqual([]);
  });

  it("leaves the states that there would be if all events had been the user's from the start", async () => {
    await addItems(people.pool, people.projectId, ['a', 'b', 'c', 'd']);
    const [early, late] = [new Date(Date.now() - 60_000), new Date(Date.now() - 30_000)];
    const device = { user: { userId: null, anonymousId: 'd', fingerprint: null } };
    await take(people.pool, people.projectId, [
      sent({ item: 'a', type: 'view', value: 40, occurredAt: late }),
      sent({ ...device, item: 'a', type: 'view', value: 70, occurredAt: early, surface: 'feed', position: 3 }),
      sent({ item: 'b', type: 'view', value: 90, occurredAt: early }),
      sent({ ...device, item: 'b', type: 'view', value: 10, occurredAt: late }),
      sent({ item: 'c', type: 'like', value: 1, occurredAt: early }),
      sent({ ...device, item: 'c', type: 'like', value: 0, occurredAt: late }),
      sent({ item: 'd', type: 'like', value: 0, occurredAt: late }),
      sent({ ...device, item: 'd', type: 'like', value: 1, occurredAt: early }),
      sent({ ...device, item: 'd', type: 'hide', occurredAt: early }),
    ]);
    await link(people, 'u', 'd');
    expect(await passOver(await identityOf(people, 'anonymous', 'd'), 100)).toBe(5);
    const user = await identityOf(people, 'user', 'u');
    const states = await readStates(people.pool, people.projectId);
    expect(states.every(({ identity_id: id }) => id === user)).toBe(true);
    expect(states.map(({ type, item_id: item, value, occurred_at: at }) => [type, item, value, at])).toEqual([
      ['hide', 'd', 1, early],
      ['like', 'c', 0, late],
      ['like', 'd', 0, late],
      ['view', 'a', 70, early],
      ['view', 'b', 90, early],
    ]);
    expect(states[3]).toMatchObject({ surface: 'feed', position: 3 });
  });

  it('neither loses nor duplicates history while events come in', async () => {
    await addItems(
      people.pool,
      people.projectId,
      Array.from({ length: 30 }, (_, n) => `item-${n}`),
    );
    const { device, user } = await linked({ facts: 400, states: 30 });
    const comeIn = async (n: number) => {
      const events = Array.from({ length: 30 }, (_, item) =>
        sent({
          user: { userId: n % 2 ? 'u' : null, anonymousId: 'd', fingerprint: null },
          item: `item-${item}`,
          type: n % 3 ? 'like' : 'open',
        }),
      );
      return (await take(people.pool, people.projectId, events)).accepted;
    };
    const [moved, ...accepted] = await Promise.all([
      passOver(device, 20),
      ...Array.from({ length: 12 }, (_, n) => comeIn(n)),
    ]);
    expect(moved).toBe(430);
    expect(accepted).toEqual(accepted.map(() => 30));
    expect(await countHistory(people, device)).toEqual(NOTHING);
    expect(await countHistory(people, user)).toEqual({ facts: 400 + 4 * 30, states: 31, orders: 0 });
  });

  it.each([
    ['device', ['d', 'u']],
    ['user', ['u', 'd']],
  ] as const)('does not deadlock with events of the user, when the %s was known first', async (_, names) => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['b', 'c', 'm']);
    for (const name of names) await identityOf(people, name === 'u' ? 'user' : 'anonymous', name);
    const like = (name: 'u' | 'd', item: string) =>
      sent({
        type: 'like',
        item,
        user: { userId: name === 'u' ? 'u' : null, anonymousId: name === 'd' ? 'd' : null, fingerprint: null },
      });
    await take(pool, projectId, [like('u', 'c'), like('u', 'm'), like('d', 'b'), like('d', 'm')]);
    await link(people, 'u', 'd');
    const [user, device] = [await identityOf(people, 'user', 'u'), await identityOf(people, 'anonymous', 'd')];
    let both: Promise<unknown> | undefined;
    await inTransaction(pool, async (held) => {
      await held.query(
        `select from event_states where project_id = $1 and identity_id = $2 and item_id = 'c' for update`,
        [projectId, user],
      );
      // The intake has a new row `b`, waits for `c` and will want `m`.
      const taken = take(
        pool,
        projectId,
        ['b', 'c', 'm'].map((item) => like('u', item)),
      );
      await untilWaiting(pool, 1);
      const moved = passOver(device, 100);
      await untilWaiting(pool, 2);
      both = Promise.all([taken, moved]);
    });
    expect(await both).toMatchObject([{ accepted: 3 }, 2]);
    expect(await countHistory(people, user)).toMatchObject({ states: 3 });
    expect(await countHistory(people, device)).toEqual(NOTHING);
  });

  it('leaves a deleted device to its purge, and ignores a closed job', async () => {
    const { device } = await linked({ facts: 5 });
    await remove(people, 'user', 'u');
    expect(await chunk(device, 10)).toEqual({ rows: 0, state: 'over' });
    expect(await openJobs(people)).toMatchObject([{ kind: 'user-delete' }]);
    expect(await countHistory(people, device)).toMatchObject({ facts: 5 });
    expect(await chunk('999999', 10)).toEqual({ rows: 0, state: 'over' });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listEventTypes, putEventType } from '../../../db/events/eventTypes.ts';
import { readCountingLag } from '../../../db/popularity/waitingChanges.ts';
import { deleteUser } from '../../../db/people/deleteUser.ts';
import { moveHistoryChunk } from '../../../db/people/moveHistory.ts';
import { linkUser } from '../../../db/people/linkUser.ts';
import { writeProfiles } from '../../../db/people/profiles.ts';
import { purgeChunk } from '../../../db/people/purge.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createPool } from '../../../db/pool.ts';
import { countChanges } from '../../../loops/relay/popularityCounter.ts';
import { removeExpired } from '../../../loops/relay/removeExpired.ts';
import { Pace } from '../../../platform/process/concurrency/pace.ts';
import { createTestProject } from '../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, by, sent, take } from '../../support/people/events.ts';

let database: TestDatabase;
let projectId: string;
const logger = createLogger('relay', 'silent');
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database?.drop());
beforeEach(async () => {
  ({ id: projectId } = await createTestProject(database.pool));
  await addItems(database.pool, projectId, ['a', 'b', 'c']);
});

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const TODAY = () => Math.floor(Date.now() / DAY_MS);
const count = async () => {
  while ((await countChanges({ pool: database.pool, logger })) > 0);
};

/** Returns scores by item, region and days ago. */
async function counts(): Promise<Record<string, number>> {
  await count();
  const { rows } = await database.pool.query<{ key: string; score: number }>(
    `select item_id || ' ' || region || ' ' || $2::integer - day as key, sum(score)::float8 as score
       from item_popularity where project_id = $1 group by 1 order by 1`,
    [projectId, TODAY()],
  );
  return Object.fromEntries(rows.map(({ key, score }) => [key.replaceAll(/ +/g, ' '), score]));
}

const device = (anonymousId: string) => ({ user: { userId: null, anonymousId, fingerprint: null } });

describe('the popularity of an item', () => {
  it('counts each person once a day, by their strongest event', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a' }),
      sent({ ...by('u-1'), item: 'a' }),
      sent({ ...by('u-1'), item: 'a', type: 'share' }),
      sent({ ...by('u-2'), item: 'a' }),
      sent({ ...by('u-1'), item: 'a', occurredAt: ago(3) }),
      sent({ ...by('u-1'), item: 'b', type: 'view', value: 80 }),
    ]);
    expect(await counts()).toEqual({ 'a 0': 5, 'a 3': 1, 'b 0': 1.5 });
    expect(await readCountingLag(database.pool)).toBe(0);
  });

  it('is neither raised by impressions nor lowered by dislikes', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a', type: 'impression' }),
      sent({ ...by('u-1'), item: 'a', type: 'dislike' }),
      sent({ ...by('u-2'), item: 'a', type: 'hide' }),
      sent({ ...by('u-2'), item: 'a' }),
    ]);
    expect(await counts()).toEqual({ 'a 0': 1 });
  });

  it('follows a state that moves to another day, and one that is withdrawn', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a', type: 'view', value: 30, occurredAt: ago(5) }),
      sent({ ...by('u-1'), item: 'b', type: 'like', occurredAt: ago(5) }),
    ]);
    expect(await counts()).toEqual({ 'a 5': 0.5, 'b 5': 3 });
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a', type: 'view', value: 96, occurredAt: ago(1) }),
      sent({ ...by('u-1'), item: 'b', type: 'like', value: 0, occurredAt: ago(1) }),
    ]);
    expect(await counts()).toEqual({ 'a 1': 2 });
  });

  it('is the same however often it is counted, as after a crash', async () => {
    await take(database.pool, projectId, [sent({ ...by('u-1'), item: 'a' })]);
    const before = await counts();
    await database.pool.query(
      `insert into event_changes (project_id, first_day, last_day) values ($1, 0, 2147483647)`,
      [projectId],
    );
    const versions = async () =>
      (await database.pool.query('select item_id, version from popularity_versions where project_id = $1', [projectId]))
        .rows;
    const known = await versions();
    expect(await counts()).toEqual(before);
    // Consumers of the counts are not notified of unchanged items.
    expect(await versions()).toEqual(known);
  });
});

describe('a person', () => {
  const purge = async (rootId: string) => {
    for (;;) {
      const { state } = await purgeChunk(database.pool, { projectId, rootId, limit: 2, isLastPass: true });
      if (state !== 'more') return;
    }
  };
  const rootOf = async (externalId: string) => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from identities where project_id = $1 and external_id = $2',
      [projectId, externalId],
    );
    return rows[0]?.id ?? '';
  };

  it('leaves no trace in the counts once deleted', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a' }),
      sent({ ...by('u-1'), item: 'a', type: 'like' }),
      sent({ ...by('u-1'), item: 'b', occurredAt: ago(40) }),
      sent({ ...by('u-2'), item: 'a' }),
    ]);
    expect(await counts()).toEqual({ 'a 0': 5, 'b 40': 1 });
    const rootId = await rootOf('u-1');
    await deleteUser(database.pool, {
      projectId,
      identifiers: [{ kind: 'user', externalId: 'u-1' }],
      requestId: null,
      ledgerKey: null,
    });
    await purge(rootId);
    expect(await counts()).toEqual({ 'a 0': 1 });
  });

  it('counts once after the link if they were known as two people', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a' }),
      sent({ ...device('d-1'), item: 'a' }),
      sent({ ...device('d-1'), item: 'b', type: 'like' }),
      sent({ ...by('u-1'), item: 'b', type: 'like', value: 0 }),
    ]);
    expect(await counts()).toEqual({ 'a 0': 2, 'b 0': 3 });
    const deviceId = await rootOf('d-1');
    await linkUser(database.pool, {
      projectId,
      userId: 'u-1',
      anonymousId: 'd-1',
      fingerprint: null,
      requestId: null,
    });
    for (;;) {
      const { state } = await moveHistoryChunk(database.pool, { projectId, deviceId, limit: 5, isLastPass: true });
      if (state !== 'more') break;
    }
    expect((await counts())['a 0']).toBe(1);
  });

  it('counts for the places of the profile, under any of their names, and moves with it', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a' }),
      sent({ ...by('u-2'), item: 'a', type: 'like' }),
      sent({ ...by('u-3'), item: 'a' }),
    ]);
    const live = (userId: string, city: string, country: string) =>
      writeProfiles(
        database.pool,
        projectId,
        [{ identifier: { kind: 'user', externalId: userId }, seenOn: null, change: { city, country } }],
        new Date(),
      );
    await live('u-1', 'Казань', 'Россия');
    await live('u-2', 'Kazan', 'RU');
    const all = await counts();
    const kazan = Object.keys(all).find((key) => key.startsWith('a ru-')) ?? '';
    expect(all).toEqual({ 'a 0': 5, [kazan]: 4, 'a RU 0': 4 });
    await live('u-2', 'Хогвартс', 'RU');
    expect(await counts()).toEqual({ 'a 0': 5, [kazan]: 1, 'a RU 0': 4, 'a хогвартс 0': 3 });
  });
});

describe('people with more events than a statement reads in its time', () => {
  it('are left out, and do not hold up the changes after theirs', async () => {
    await take(database.pool, projectId, [sent({ ...by('u-1'), item: 'a' })]);
    expect(await counts()).toEqual({ 'a 0': 1 });
    const moved = ['u-1', 'u-2'].map((externalId) => ({
      identifier: { kind: 'user' as const, externalId },
      seenOn: null,
      change: { city: 'Хогвартс' },
    }));
    await writeProfiles(database.pool, projectId, moved, new Date());
    const open = (await listEventTypes(database.pool, projectId)).find(({ code }) => code === 'open');
    if (!open) throw new Error('no such type');
    const { inUse: _inUse, ...type } = open;
    await putEventType(database.pool, projectId, { ...type, weight: 2 });
    await database.pool.query('delete from items where project_id = $1 and id <> $2', [projectId, 'a']);
    const impatient = createPool({
      databaseUrl: database.url,
      size: 2,
      applicationName: 'test',
      statementTimeoutMs: 1_500,
    });
    const client = await database.pool.connect();
    try {
      // No statement reads the states of anybody in time.
      await client.query('begin; lock table event_states in access exclusive mode');
      expect(await countChanges({ pool: impatient, logger })).toBe(2);
    } finally {
      await client.query('rollback');
      client.release();
      await impatient.end();
    }
    const { rows } = await database.pool.query('select from event_changes where project_id = $1', [projectId]);
    expect(rows).toEqual([]);
    expect(await counts()).toEqual({ 'a 0': 2, 'a хогвартс 0': 2 });
  });

  it('cost one timeout each and one for their change, however many they are', async () => {
    const users = ['u-1', 'u-2', 'u-3', 'u-4'];
    const moved = users.map((externalId) => ({
      identifier: { kind: 'user' as const, externalId },
      seenOn: null,
      change: { city: 'Хогвартс' },
    }));
    await writeProfiles(database.pool, projectId, moved, new Date());
    const impatient = createPool({
      databaseUrl: database.url,
      size: 2,
      applicationName: 'test',
      statementTimeoutMs: 1_500,
    });
    let timeouts = 0;
    const pause = (ms: number) => {
      if (ms >= 1_500) timeouts += 1;
      return Promise.resolve();
    };
    const client = await database.pool.connect();
    try {
      await client.query('begin; lock table event_states in access exclusive mode');
      expect(await countChanges({ pool: impatient, logger }, new Pace(1, { pause }))).toBe(1);
    } finally {
      await client.query('rollback');
      client.release();
      await impatient.end();
    }
    expect(timeouts).toBe(users.length + 1);
    expect(await countChanges({ pool: database.pool, logger })).toBe(0);
  });
});

describe('a type whose weight changes', () => {
  it('is counted again, in all items', async () => {
    await take(database.pool, projectId, [
      sent({ ...by('u-1'), item: 'a' }),
      sent({ ...by('u-1'), item: 'c', occurredAt: ago(2) }),
    ]);
    expect(await counts()).toEqual({ 'a 0': 1, 'c 2': 1 });
    const open = (await listEventTypes(database.pool, projectId)).find(({ code }) => code === 'open');
    if (!open) throw new Error('no such type');
    const { inUse: _inUse, ...type } = open;
    await putEventType(database.pool, projectId, { ...type, title: 'Открыли' });
    expect(await countChanges({ pool: database.pool, logger })).toBe(0);
    await putEventType(database.pool, projectId, { ...type, weight: 7 });
    expect(await counts()).toEqual({ 'a 0': 7, 'c 2': 7 });
  });
});

describe('a weight too small to be stored', () => {
  it.each([{ weight: 1e-60 }, { value_kind: 'percent' as const, value_map: { 0: 1e-60 } }])(
    'adds nothing, and holds nothing up: %j',
    async (change) => {
      const type = (await listEventTypes(database.pool, projectId)).find(({ code }) => code === 'open');
      if (!type) throw new Error('no such type');
      const { inUse: _inUse, ...open } = type;
      expect(await putEventType(database.pool, projectId, { ...open, ...change })).toEqual({ outcome: 'replaced' });
      await take(database.pool, projectId, [
        sent({ ...by('u-1'), item: 'a', value: 50 }),
        sent({ ...by('u-1'), item: 'b', type: 'share' }),
      ]);
      expect(await counts()).toEqual({ 'b 0': 4 });
    },
  );
});

describe('counts older than the longest period', () => {
  it('are left out, and removed when they become too old', async () => {
    await take(database.pool, projectId, [sent({ ...by('u-1'), item: 'a', occurredAt: ago(500) })]);
    expect(await counts()).toEqual({});
    await database.pool.query(
      `insert into item_popularity (project_id, item_id, region, day, of_states, score) values ($1, 'a', '', $2, false, 1)`,
      [projectId, TODAY() - 400],
    );
    const blobs = { removeFolder: () => Promise.resolve() };
    await removeExpired({ pool: database.pool, blobs, rememberCollectedHours: 25, auditDays: 30, logger });
    expect(await counts()).toEqual({});
  });
});

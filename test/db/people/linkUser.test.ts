import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { memberIds } from '../../../db/identities/identitiesOfPerson.ts';
import { findProfile, writeProfiles } from '../../../db/people/profiles.ts';
import { inTransaction } from '../../../db/pool.ts';
import { resolveIdentities } from '../../../db/identities/identities.ts';
import type { ProfileChange } from '../../../domain/people/profile.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, readFacts, readStates, sent, take } from '../../support/people/events.ts';
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

const FINGERPRINT = '0d9f2b4e-1111-4222-8333-444455556666';

let database: TestDatabase;
let people: People;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  people = { pool: database.pool, projectId: await createTestProject(database.pool) };
});
afterAll(() => database.drop());

const onDevice = (anonymousId: string) => ({ user: { userId: null, anonymousId, fingerprint: null } });
const takeAll = (events: Parameters<typeof take>[2], fingerprints = false) =>
  take(people.pool, people.projectId, events, { fingerprints });
const say = (kind: 'user' | 'anonymous', externalId: string, change: ProfileChange, at = new Date()) =>
  writeProfiles(people.pool, people.projectId, [{ identifier: { kind, externalId }, seenOn: null, change }], at);
const profileOf = async (kind: 'user' | 'anonymous', externalId: string) =>
  (await findProfile(people.pool, people.projectId, { kind, externalId }))?.profile;
const mergedInto = async (id: string): Promise<string | null> =>
  (
    await people.pool.query<{ merged_into: string | null }>(
      'select merged_into from identities where project_id = $1 and id = $2',
      [people.projectId, id],
    )
  ).rows[0]?.merged_into ?? null;

describe('linkUser', () => {
  // proves: profile/UserLinkRequest, decisions-people/events-moved
  it('counts the stored events of the device, without impressions, and opens a job', async () => {
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll([
      sent(onDevice('d')),
      sent({ ...onDevice('d'), type: 'like' }),
      sent({ ...onDevice('d'), type: 'view', value: 50 }),
      sent({ ...onDevice('d'), type: 'impression' }),
      sent(onDevice('other')),
    ]);
    expect(await link(people, 'u', 'd')).toEqual({ merged: true, eventsMoved: 3 });
    expect(await openJobs(people)).toEqual([{ kind: 'user-link', entity: await identityOf(people, 'anonymous', 'd') }]);
  });

  // proves: users/rule-1, decisions-people/later-events, decisions-people/link-readers
  it('shows the history under the user at once, and assigns later events to the user', async () => {
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll([sent(onDevice('d'))]);
    await link(people, 'u', 'd');
    const [user, device] = [await identityOf(people, 'user', 'u'), await identityOf(people, 'anonymous', 'd')];
    expect(await memberIds(people.pool, people.projectId, user)).toEqual([user, device]);
    await takeAll([sent(onDevice('d'))]);
    expect((await readFacts(people.pool, people.projectId)).map(({ identity_id: id }) => id).sort()).toEqual(
      [user, device].sort(),
    );
  });

  it('may be repeated', async () => {
    await addHistory(people, await identityOf(people, 'anonymous', 'd'), { facts: 5 });
    expect(await link(people, 'u', 'd')).toEqual({ merged: true, eventsMoved: 5 });
    expect(await link(people, 'u', 'd')).toEqual({ merged: true, eventsMoved: 0 });
    expect(await openJobs(people)).toHaveLength(1);
  });

  // proves: users/rule-1
  it("does not touch another user's device", async () => {
    await addHistory(people, await identityOf(people, 'anonymous', 'd'), { facts: 5 });
    await link(people, 'first', 'd');
    await say('anonymous', 'd', { city: 'омск' });
    expect(await link(people, 'second', 'd')).toEqual({ merged: false, eventsMoved: 0 });
    expect(await mergedInto(await identityOf(people, 'anonymous', 'd'))).toBe(
      await identityOf(people, 'user', 'first'),
    );
    expect(await profileOf('user', 'second')).toMatchObject({ values: { city: null } });
  });

  it('assigns an unknown device to the user, and with it what it does later', async () => {
    expect(await link(people, 'u', 'new')).toEqual({ merged: true, eventsMoved: 0 });
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll([sent(onDevice('new'))]);
    expect((await readFacts(people.pool, people.projectId))[0]?.identity_id).toBe(
      await identityOf(people, 'user', 'u'),
    );
  });

  it('does nothing without a device', async () => {
    expect(await link(people, 'u', null)).toEqual({ merged: false, eventsMoved: 0 });
    expect((await people.pool.query('select from identities where project_id = $1', [people.projectId])).rowCount).toBe(
      0,
    );
  });

  // proves: users/rule-1, decisions-people/link-transaction
  it('copies missing fields of the profile with their times, and leaves only that of the user', async () => {
    const [then, later] = [new Date('2026-01-01T00:00:00.000Z'), new Date('2026-02-01T00:00:00.000Z')];
    await say(
      'anonymous',
      'd',
      { city: 'омск', gender: 'male', interests: ['трамваи'], personalization: false, attributes: { a: 1 } },
      then,
    );
    await say('user', 'u', { city: 'томск', interests: [] }, later);
    await link(people, 'u', 'd');
    expect(await profileOf('user', 'u')).toMatchObject({
      values: {
        city: 'томск',
        gender: 'male',
        interests: [],
        personalization: false,
        attributes: { a: 1 },
        birth_year: null,
      },
      updatedAt: {
        city: later.toISOString(),
        gender: then.toISOString(),
        interests: later.toISOString(),
        personalization: then.toISOString(),
        attributes: then.toISOString(),
      },
    });
    expect((await people.pool.query('select from profiles where project_id = $1', [people.projectId])).rowCount).toBe(
      1,
    );
  });

  it('takes over, when it is repeated, a profile that was written on the device after the first link', async () => {
    await link(people, 'u', 'd');
    await say('anonymous', 'd', { city: 'омск' });
    expect(await profileOf('user', 'u')).toMatchObject({ values: { city: null } });
    await link(people, 'u', 'd');
    expect(await profileOf('user', 'u')).toMatchObject({ values: { city: 'омск' } });
  });
});

describe('linkUser by fingerprint', () => {
  const byPrint = { user: { userId: null, anonymousId: null, fingerprint: FINGERPRINT } };

  // proves: users/rule-1
  it('takes the device if no other user was seen with it', async () => {
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll([sent(byPrint), sent(byPrint)], true);
    expect(await link(people, 'u', null, FINGERPRINT)).toEqual({ merged: true, eventsMoved: 2 });
    expect(await link(people, 'u', null, FINGERPRINT)).toEqual({ merged: true, eventsMoved: 0 });
  });

  // proves: users/rule-1, decisions-people/undisputed
  it('does not take a disputed one', async () => {
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll(
      [sent(byPrint), sent({ user: { userId: 'other', anonymousId: null, fingerprint: FINGERPRINT } })],
      true,
    );
    expect(await link(people, 'u', null, FINGERPRINT)).toEqual({ merged: false, eventsMoved: 0 });
    await remove(people, 'user', 'other');
    expect(await link(people, 'u', null, FINGERPRINT)).toEqual({ merged: true, eventsMoved: 1 });
  });

  it('may be repeated after another user was seen with it: the device stays with the first one', async () => {
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll([sent(byPrint)], true);
    expect(await link(people, 'u', null, FINGERPRINT)).toEqual({ merged: true, eventsMoved: 1 });
    await takeAll([sent({ user: { userId: 'other', anonymousId: null, fingerprint: FINGERPRINT } })], true);
    expect(await link(people, 'other', null, FINGERPRINT)).toEqual({ merged: false, eventsMoved: 0 });
    expect(await link(people, 'u', null, FINGERPRINT)).toEqual({ merged: true, eventsMoved: 0 });
  });

  // proves: users/rule-1
  it('counts only as a login if an anonymous_id is sent too, and then makes the fingerprint disputed', async () => {
    await link(people, 'first', 'd-1', FINGERPRINT);
    await addItems(people.pool, people.projectId, ['a']);
    await takeAll([sent(byPrint)], true);
    expect((await readFacts(people.pool, people.projectId))[0]?.identity_id).toBe(
      await identityOf(people, 'user', 'first'),
    );
    expect(await link(people, 'second', 'd-2', FINGERPRINT)).toEqual({ merged: true, eventsMoved: 0 });
    await takeAll([sent(byPrint)], true);
    expect((await readFacts(people.pool, people.projectId))[1]?.identity_id).toBe(
      await identityOf(people, 'fingerprint', FINGERPRINT),
    );
  });
});

describe('linkUser by an anonymous_id that was never seen', () => {
  const onFingerprint = { user: { userId: null, anonymousId: null, fingerprint: FINGERPRINT } };

  beforeEach(async () => {
    await addItems(people.pool, people.projectId, ['a', 'b']);
    await takeAll([sent(onFingerprint), sent({ ...onFingerprint, type: 'like', value: 1 })], true);
  });

  // proves: users/rule-1, decisions-people/link-fallback
  it("moves what its fingerprint did, and makes both devices the user's", async () => {
    expect(await link(people, 'u', 'new', FINGERPRINT)).toEqual({ merged: true, eventsMoved: 2 });
    const [user, device] = [
      await identityOf(people, 'user', 'u'),
      await identityOf(people, 'fingerprint', FINGERPRINT),
    ];
    expect(await memberIds(people.pool, people.projectId, user)).toContain(device);
    expect(await openJobs(people)).toContainEqual({ kind: 'user-link', entity: device });
    await takeAll([sent(onDevice('new'))]);
    expect((await readFacts(people.pool, people.projectId)).at(-1)?.identity_id).toBe(user);
    expect(await link(people, 'u', 'new', FINGERPRINT)).toEqual({ merged: true, eventsMoved: 0 });
  });

  // proves: decisions-people/link-fallback
  it('does not touch a disputed fingerprint', async () => {
    await takeAll([sent({ user: { userId: 'other', anonymousId: null, fingerprint: FINGERPRINT } })], true);
    expect(await link(people, 'u', 'new', FINGERPRINT)).toEqual({ merged: true, eventsMoved: 0 });
    expect(await mergedInto(await identityOf(people, 'fingerprint', FINGERPRINT))).toBeNull();
  });

  // proves: decisions-people/link-fallback
  it('does not touch a fingerprint that is sent with an anonymous_id that was seen', async () => {
    await takeAll([sent(onDevice('seen'))]);
    expect(await link(people, 'u', 'seen', FINGERPRINT)).toEqual({ merged: true, eventsMoved: 1 });
    expect(await mergedInto(await identityOf(people, 'fingerprint', FINGERPRINT))).toBeNull();
  });

  it('does not permanently assign a fingerprint without history to the first user', async () => {
    const silent = '0d9f2b4e-1111-4222-8333-444455557777';
    await link(people, 'u', 'new', silent);
    const { rows } = await people.pool.query(
      `select from identities where project_id = $1 and kind = 'fingerprint' and external_id = $2`,
      [people.projectId, silent],
    );
    expect(rows).toEqual([]);
  });
});

describe('simultaneous links', () => {
  it('and a batch of profiles with the same new people do not deadlock', async () => {
    const identifiers = [
      { kind: 'anonymous', externalId: 'd' },
      { kind: 'user', externalId: 'u' },
    ] as const;
    let both: Promise<unknown> | undefined;
    await inTransaction(people.pool, async (held) => {
      // When the link records its login, the user is new and not yet committed.
      await held.query('lock table device_logins in exclusive mode');
      const linked = link(people, 'u', 'd', FINGERPRINT);
      await untilWaiting(people.pool, 1);
      const written = writeProfiles(
        people.pool,
        people.projectId,
        identifiers.map((identifier) => ({ identifier, seenOn: null, change: { city: 'омск' } })),
        new Date(),
      );
      await untilWaiting(people.pool, 2);
      both = Promise.allSettled([linked, written]);
    });
    expect(await both).toMatchObject([{ value: { merged: true } }, { value: [['city'], ['city']] }]);
  });

  it('assign a device to one of its users, and its events are counted once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await addHistory(people, await identityOf(people, 'anonymous', `d-${round}`), { facts: 20 });
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, n) => link(people, `user-${n % 4}`, `d-${round}`)),
      );
      expect(results.reduce((sum, { eventsMoved }) => sum + eventsMoved, 0)).toBe(20);
      expect(results.filter(({ merged }) => merged)).toHaveLength(2); // the winner and its repeat
    }
  });

  it('and deletions leave no live device with a deleted user', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        ...Array.from({ length: 4 }, (_, n) => link(people, 'u', `d-${n}`)),
        remove(people, 'user', 'u'),
        remove(people, 'anonymous', 'd-1'),
        link(people, 'u', 'd-1'),
        say('user', 'u', { city: 'омск' }),
        say('anonymous', 'd-1', { city: 'омск' }),
      ]);
    }
    const { rows } = await people.pool.query(
      `select d.id from identities d join identities u on u.project_id = d.project_id and u.id = d.merged_into
        where d.project_id = $1 and (d.dead_at is null) <> (u.dead_at is null)`,
      [people.projectId],
    );
    expect(rows).toEqual([]);
  });

  it('and events lose nothing and duplicate nothing', async () => {
    await addItems(people.pool, people.projectId, ['a', 'b']);
    const takeSome = (n: number) =>
      takeAll([
        sent(onDevice('d')),
        sent({ ...onDevice('d'), item: 'b', type: 'like', value: n % 2 }),
        sent({ user: { userId: 'u', anonymousId: 'd', fingerprint: null }, item: 'b', type: 'view', value: n }),
      ]);
    const answers = await Promise.all([
      ...Array.from({ length: 15 }, (_, n) => takeSome(n)),
      link(people, 'u', 'd'),
      ...Array.from({ length: 15 }, (_, n) => takeSome(n + 15)),
    ]);
    expect(answers).toHaveLength(31);
    const user = await identityOf(people, 'user', 'u');
    const members = await memberIds(people.pool, people.projectId, user);
    const facts = await readFacts(people.pool, people.projectId);
    expect(facts).toHaveLength(30);
    expect(facts.every(({ identity_id: id }) => members.includes(id))).toBe(true);
    const views = (await readStates(people.pool, people.projectId)).filter(({ type }) => type === 'view');
    expect(views.map(({ value }) => value)).toEqual([29]);
  });
});

describe('a link of 100,000 events', () => {
  it('is answered in less than 30 times the time of a link of ten, while its device and others send events', async () => {
    const devices = ['d-1', 'd-2'];
    await addItems(people.pool, people.projectId, ['a']);
    for (const device of devices) {
      await addHistory(people, await identityOf(people, 'anonymous', device), { facts: 95_000, states: 5_000 });
      await addHistory(people, await identityOf(people, 'anonymous', `small-${device}`), { facts: 10 });
    }
    const over = new AbortController();
    // Autovacuum does this in a real installation, but not under test.
    await people.pool.query('vacuum (analyze) events');
    let taken = 0;
    const intake = [...devices, 'other'].map(async (device) => {
      while (!over.signal.aborted) {
        const { accepted } = await takeAll([sent(onDevice(device))]);
        taken += accepted;
      }
    });
    const times = { small: [] as number[], large: [] as number[] };
    const timed = async (kind: 'small' | 'large', user: string, device: string) => {
      const begin = performance.now();
      const result = await link(people, user, device);
      times[kind].push(performance.now() - begin);
      return result;
    };
    let moved = 0;
    for (const device of devices) {
      const before = taken;
      while (taken === before) await new Promise(setImmediate);
      await timed('small', 'somebody', `small-${device}`);
      const result = await timed('large', 'u', device);
      expect(result.merged).toBe(true);
      moved += result.eventsMoved;
    }
    over.abort();
    await Promise.all(intake);
    expect(moved).toBeGreaterThanOrEqual(200_000);
    const facts = await Promise.all(
      devices.map(async (device) => (await countHistory(people, await identityOf(people, 'anonymous', device))).facts),
    );
    const others = (await countHistory(people, await identityOf(people, 'anonymous', 'other'))).facts;
    const late = (await countHistory(people, await identityOf(people, 'user', 'u'))).facts;
    expect(facts.reduce((sum, count) => sum + count, 0) + others + late).toBe(190_000 + taken);
    // Compares with the time for ten events on this machine right now; moving 100,000 in the request would take a
    // hundred times as long.
    expect(Math.min(...times.large)).toBeLessThan(30 * Math.max(...times.small));
  });
});

describe('resolveIdentities', () => {
  /** Counts the rows of both tables read by this connection, possibly including earlier transactions. */
  async function rowsRead(client: pg.PoolClient): Promise<number> {
    const { rows } = await client.query<{ read: number }>(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where relname in ('identities', 'device_logins')`,
    );
    return rows[0]?.read ?? Number.NaN;
  }

  it('reads only a few of the thousands of users who were seen with a fingerprint', async () => {
    const { pool, projectId } = people;
    await pool.query(
      `with users as (insert into identities (project_id, kind, external_id) select $1, 'user', 'seen-' || n from generate_series(1, 5000) n returning id)
       insert into device_logins (project_id, fingerprint, identity_id) select $1, $2::uuid, id from users`,
      [projectId, FINGERPRINT],
    );
    await pool.query('vacuum (analyze) identities, device_logins');
    const read = await inTransaction(pool, async (client) => {
      const before = await rowsRead(client);
      await resolveIdentities(client, projectId, [{ kind: 'fingerprint', externalId: FINGERPRINT }]);
      return (await rowsRead(client)) - before;
    });
    expect(read).toBeLessThan(20);
  });

  it('never waits for a running link or deletion', async () => {
    await link(people, 'u', 'd');
    await inTransaction(people.pool, async (other) => {
      await other.query('select from identities where project_id = $1 for no key update', [people.projectId]);
      const found = await inTransaction(people.pool, (client) =>
        resolveIdentities(client, people.projectId, [{ kind: 'anonymous', externalId: 'd' }]),
      );
      expect(found.size).toBe(1);
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { memberIds } from '../../../db/identities/identitiesOfPerson.ts';
import { writeProfiles } from '../../../db/people/profiles.ts';
import type { Identifier, IdentityKind } from '../../../domain/people/identity.ts';
import { addItems, by, readFacts, sent, take } from '../../support/people/events.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { identityOf, link, openJobs, remove, removeAll } from '../../support/people/people.ts';
import { FINGERPRINT, makePeople, stageDeletions } from './deletionStage.ts';

const people = stageDeletions();

describe('deleteUser', () => {
  // proves: users/rule-4, decisions-people/delete-unreadable
  it.each([
    ['user', 'u'],
    ['anonymous', 'd'],
  ] as const)('makes a person found by %s identifier unreachable at once', async (kind, externalId) => {
    const { user } = await makePeople(people);
    expect(await remove(people, kind, externalId)).toBe(true);
    expect(await Promise.all([people.find('user', 'u'), people.find('anonymous', 'd')])).toEqual([null, null]);
    expect(await memberIds(people.pool, people.projectId, user)).toEqual([]);
    expect(await people.find('user', 'stranger')).not.toBeNull();
    expect(await openJobs(people)).toContainEqual({ kind: 'user-delete', entity: user });
    expect(await remove(people, kind, externalId)).toBe(false);
  });

  // proves: profile/UserDeleteResponse
  it('does not create people that it does not know', async () => {
    expect(await remove(people, 'user', 'nobody')).toBe(false);
    expect(await people.count('identities')).toBe(0);
    expect(await openJobs(people)).toEqual([]);
  });

  it('deletes only the device if it belongs to nobody', async () => {
    await makePeople(people);
    await identityOf(people, 'anonymous', 'free');
    expect(await remove(people, 'anonymous', 'free')).toBe(true);
    expect(await people.find('user', 'u')).not.toBeNull();
  });

  it('does not recognise a user by a fingerprint that is not linked to the user', async () => {
    await makePeople(people);
    expect(await remove(people, 'fingerprint', FINGERPRINT)).toBe(false);
    await link(people, 'u', null, FINGERPRINT);
    expect(await remove(people, 'fingerprint', FINGERPRINT)).toBe(true);
    expect(await people.find('user', 'u')).toBeNull();
  });

  // proves: decisions-people/delete-any
  it('deletes the user and an unlinked device that are named together, with a purge for each', async () => {
    const { user } = await makePeople(people);
    const free = await identityOf(people, 'anonymous', 'free');
    const named = (...names: [IdentityKind, string][]) =>
      removeAll(
        people,
        names.map(([kind, externalId]) => ({ kind, externalId })),
      );
    expect(await named(['user', 'u'], ['anonymous', 'free'])).toBe(true);
    expect(
      await Promise.all([people.find('user', 'u'), people.find('anonymous', 'd'), people.find('anonymous', 'free')]),
    ).toEqual([null, null, null]);
    const purges = (await openJobs(people)).filter(({ kind }) => kind === 'user-delete');
    expect(new Set(purges.map(({ entity }) => entity))).toEqual(new Set([user, free]));
    expect(await named(['user', 'nobody'], ['user', 'stranger'])).toBe(true);
    expect(await people.find('user', 'stranger')).toBeNull();
  });

  // proves: decisions-people/delete-any
  it('deletes two users if the device named with one belongs to the other', async () => {
    await makePeople(people);
    expect(
      await removeAll(people, [
        { kind: 'user', externalId: 'stranger' },
        { kind: 'anonymous', externalId: 'd' },
      ]),
    ).toBe(true);
    expect(await Promise.all([people.find('user', 'u'), people.find('user', 'stranger')])).toEqual([null, null]);
  });

  it('never deadlocks with links and profiles of the same people', async () => {
    for (let round = 0; round < 5; round += 1) {
      await makePeople(people);
      await identityOf(people, 'anonymous', 'free');
      const devices: Identifier[] = ['d', 'free'].map((externalId) => ({ kind: 'anonymous', externalId }));
      const [isDeleted] = await Promise.all([
        removeAll(people, [{ kind: 'user', externalId: 'u' }, ...devices]),
        link(people, 'u', 'free'),
        link(people, 'stranger', 'free'),
        writeProfiles(
          people.pool,
          people.projectId,
          devices.map((identifier) => ({ identifier, seenOn: null, change: { city: 'тула' } })),
          new Date(),
        ),
      ]);
      expect(isDeleted).toBe(true);
    }
  });

  it('does not deadlock with a deletion of the same person by another identifier', async () => {
    const { user } = await makePeople(people);
    await people.pool.query(`insert into event_rejections (project_id, code, anonymous_id) values ($1, 'x', 'd')`, [
      people.projectId,
    ]);
    const other = await people.pool.connect();
    await other.query('begin');
    await other.query('select from identities where project_id = $1 and id = $2 for update', [people.projectId, user]);
    const byUser = remove(people, 'user', 'u');
    await untilWaiting(people.pool, 1);
    const byDevice = remove(people, 'anonymous', 'd');
    await untilWaiting(people.pool, 2);
    await other.query('commit');
    other.release();
    expect(await Promise.all([byUser, byDevice])).toEqual([true, false]);
    expect(await people.count('event_rejections')).toBe(0);
  });

  it('leaves no rejected event that was on its way when the person was deleted', async () => {
    const { pool, projectId } = people;
    await addItems(pool, projectId, ['a']);
    await take(pool, projectId, [sent()]);
    const held = await pool.connect();
    await held.query('begin');
    await held.query(`select from event_types where project_id = $1 and code = 'share' for update`, [projectId]);
    const wrong = [sent({ type: 'nothing' }), sent({ type: 'nothing', ...by('stays') })];
    const taken = take(pool, projectId, [sent({ type: 'share', ...by('stays') }), ...wrong]);
    await untilWaiting(pool, 1);
    await remove(people, 'user', 'u');
    await held.query('commit');
    held.release();
    expect(await taken).toMatchObject({ accepted: 1, rejected: [{ index: 1 }, { index: 2 }] });
    expect(await people.count('event_rejections', `and user_id = 'stays'`)).toBe(1);
    expect(await people.count('event_rejections')).toBe(1);
  });

  // proves: users/rule-4, decisions-people/delete-transaction
  it('lets the next event start a new generation, which knows nothing of the previous one', async () => {
    const { user, device } = await makePeople(people);
    await addItems(people.pool, people.projectId, ['a']);
    await remove(people, 'user', 'u');
    await take(people.pool, people.projectId, [
      sent({ user: { userId: null, anonymousId: 'd', fingerprint: null } }),
      sent({ user: { userId: 'u', anonymousId: null, fingerprint: null } }),
    ]);
    const owners = (await readFacts(people.pool, people.projectId)).map(({ identity_id: id }) => id);
    expect(new Set(owners).size).toBe(2);
    expect(owners).not.toContain(user);
    expect(owners).not.toContain(device);
    expect(await people.find('user', 'u')).toMatchObject({ profile: { values: { city: null } } });
    await people.purgeAll(user, true);
    expect((await readFacts(people.pool, people.projectId)).map(({ identity_id: id }) => id)).toEqual(owners);
  });

  it('answers true to exactly one of many simultaneous calls', async () => {
    await makePeople(people);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => remove(people, 'user', 'u')),
      ...Array.from({ length: 6 }, () => remove(people, 'anonymous', 'd')),
    ]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect((await openJobs(people)).filter(({ kind }) => kind === 'user-delete')).toHaveLength(1);
  });
});

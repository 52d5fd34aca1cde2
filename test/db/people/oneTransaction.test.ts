import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeProfiles } from '../../../db/people/profiles.ts';
import { addHistory, identityOf, link, openJobs, remove } from '../../support/people/people.ts';
import { FINGERPRINT, makePeople, stageDeletions } from './deletionStage.ts';

const people = stageDeletions();

beforeAll(async () => {
  await people.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the power went out'; end $$`,
  );
});

/** Does the work while its job, which comes last, cannot be handed to the relay. */
async function failing(work: () => Promise<unknown>): Promise<void> {
  await people.pool.query('create trigger refuse before insert on outbox for each row execute function refuse()');
  try {
    await expect(work()).rejects.toThrow('the power went out');
  } finally {
    await people.pool.query('drop trigger refuse on outbox');
  }
}

describe('a failure at the very end', () => {
  // proves: decisions-people/link-transaction
  it('of a link changes nothing, and the link may be repeated', async () => {
    const device = await identityOf(people, 'anonymous', 'd');
    await addHistory(people, device, { facts: 3 });
    const told = {
      identifier: { kind: 'anonymous', externalId: 'd' },
      seenOn: null,
      change: { city: 'омск' },
    } as const;
    await writeProfiles(people.pool, people.projectId, [told], new Date());
    await failing(() => link(people, 'u', 'd', FINGERPRINT));
    expect(await people.find('anonymous', 'd')).toMatchObject({
      owner: 'anonymous',
      profile: { values: { city: 'омск' } },
    });
    expect([
      await people.find('user', 'u'),
      await people.count('identities', 'and merged_into is not null'),
      await people.count('device_logins'),
      await openJobs(people),
    ]).toEqual([null, 0, 0, []]);
    expect(await link(people, 'u', 'd', FINGERPRINT)).toEqual({ merged: true, eventsMoved: 3 });
    expect(await people.find('user', 'u')).toMatchObject({ profile: { values: { city: 'омск' } } });
    expect(await people.count('profiles')).toBe(1);
  });

  // proves: decisions-people/delete-transaction
  it('of a deletion changes nothing, and the deletion may be repeated', async () => {
    await makePeople(people);
    await people.pool.query(`insert into event_rejections (project_id, code, user_id) values ($1, 'x', 'u')`, [
      people.projectId,
    ]);
    const ledger = async (): Promise<number | null> =>
      (await people.pool.query('select from deletion_ledger where tenant_id = $1', [people.projectId])).rowCount;
    await failing(() => remove(people, 'user', 'u'));
    expect(await people.find('user', 'u')).toMatchObject({ owner: 'user', profile: { values: { city: 'омск' } } });
    expect(await people.find('anonymous', 'd')).not.toBeNull();
    expect([await people.count('event_rejections'), await ledger()]).toEqual([1, 0]);
    expect((await openJobs(people)).map(({ kind }) => kind)).toEqual(['user-link']);
    expect(await remove(people, 'user', 'u')).toBe(true);
    expect(await Promise.all([people.find('user', 'u'), people.find('anonymous', 'd')])).toEqual([null, null]);
    expect([await people.count('event_rejections'), await ledger()]).toEqual([0, 2]);
  });
});

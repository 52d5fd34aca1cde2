import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findProfile } from '../../../db/people/profiles.ts';
import type { SentEvent } from '../../../domain/events/validateEvents.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, by, readFacts, sent, take } from '../../support/people/events.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;

const DEVICE = '0f8fad5b-d9cb-469f-a165-70867728950e';
const person = (
  userId: string | null,
  anonymousId: string | null,
  fingerprint: string | null = null,
): Pick<SentEvent, 'user'> => ({ user: { userId, anonymousId, fingerprint } });
const takeAll = (fingerprints: boolean, ...events: SentEvent[]) =>
  take(database.pool, projectId, events, { fingerprints });

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  await addItems(database.pool, projectId, ['a']);
});
afterAll(() => database.drop());

/** Returns the identifier behind each fact, by the fact's id. */
async function owners(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ id: string; owner: string }>(
    `select e.id, i.kind || ':' || i.external_id as owner from events e join identities i on i.project_id = e.project_id and i.id = e.identity_id where e.project_id = $1`,
    [projectId],
  );
  return Object.fromEntries(rows.map(({ id, owner }) => [id, owner]));
}

async function logins(): Promise<string[]> {
  const { rows } = await database.pool.query<{ external_id: string }>(
    `select i.external_id from device_logins l join identities i on i.project_id = l.project_id and i.id = l.identity_id where l.project_id = $1 order by 1`,
    [projectId],
  );
  return rows.map((row) => row.external_id);
}

describe('an event belongs', () => {
  // proves: decisions-people/precedence
  it('to the account rather than the device, and to the device rather than its fingerprint', async () => {
    await takeAll(
      true,
      sent({ id: 'account', ...person('u', 'd', DEVICE) }),
      sent({ id: 'device', ...person(null, 'd', DEVICE) }),
      sent({ id: 'fingerprint', ...person(null, null, DEVICE) }),
    );
    expect(await owners()).toEqual({ account: 'user:u', device: 'anonymous:d', fingerprint: `fingerprint:${DEVICE}` });
  });

  // proves: decisions-people/verified, decisions-people/undisputed
  it('to the only user who was seen on the device, and to nobody if there were two', async () => {
    await takeAll(true, sent(person('u', null, DEVICE)));
    await takeAll(true, sent({ id: 'one', ...person(null, null, DEVICE) }));
    expect((await owners())['one']).toBe('user:u');
    await takeAll(true, sent(person('v', null, DEVICE)));
    await takeAll(true, sent({ id: 'two', ...person(null, null, DEVICE) }));
    expect((await owners())['two']).toBe(`fingerprint:${DEVICE}`);
  });

  // proves: decisions-people/later-events
  it('to the user that its device was linked to', async () => {
    await takeAll(false, sent(person(null, 'd')), sent(by('u')));
    await database.pool.query(
      `update identities set merged_into = (select id from identities where project_id = $1 and kind = 'user') where project_id = $1 and kind = 'anonymous'`,
      [projectId],
    );
    await takeAll(false, sent({ id: 'linked', ...person(null, 'd') }));
    expect((await owners())['linked']).toBe('user:u');
  });

  it('to a new generation of a user who was deleted', async () => {
    await takeAll(false, sent(by('u')));
    await database.pool.query('update identities set dead_at = now() where project_id = $1', [projectId]);
    await takeAll(false, sent(by('u')));
    const [first, second] = await readFacts(database.pool, projectId);
    expect(first?.identity_id).not.toBe(second?.identity_id);
  });
});

describe('a person whom nobody has seen', () => {
  const isKnown = async (externalId: string) =>
    (await findProfile(database.pool, projectId, { kind: 'user', externalId })) !== null;

  it.each(['share', 'like', 'impression'])('stays unknown after only repeating an id that came as %s', async (type) => {
    await takeAll(false, sent({ id: 'accepted', type, ...by('u') }));
    expect(await takeAll(false, sent({ id: 'accepted', type: 'share', ...by('ghost') }))).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    expect(await takeAll(false, sent({ id: 'accepted', type: 'like', ...by('ghost') }))).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    expect(await isKnown('ghost')).toBe(false);
  });

  it('becomes known through a new fact or state, even if it is sent with repeats', async () => {
    await takeAll(false, sent({ id: '1', ...by('u') }), sent({ id: '2', ...by('u') }));
    await takeAll(
      false,
      sent({ id: '1', ...by('ghost') }),
      sent({ id: '2', ...by('fact') }),
      sent({ id: '3', ...by('fact') }),
      sent({ id: '4', type: 'like', ...by('state') }),
    );
    expect(await Promise.all(['ghost', 'fact', 'state', 'u'].map(isKnown))).toEqual([false, true, true, true]);
  });

  it('becomes known through a new login, but not through a repeated one, and known people stay known', async () => {
    await takeAll(true, sent({ id: '1', ...by('u') }));
    await takeAll(true, sent({ id: '1', ...person('repeated', null, DEVICE) }));
    await takeAll(true, sent({ id: '2', type: 'impression', ...person('seen', null, DEVICE) }));
    expect([await isKnown('repeated'), await isKnown('seen'), await logins()]).toEqual([false, true, ['seen']]);
    await database.pool.query(`insert into identities (project_id, kind, external_id) values ($1, 'user', 'old')`, [
      projectId,
    ]);
    await takeAll(true, sent({ id: '1', ...by('old') }));
    expect(await isKnown('old')).toBe(true);
  });
});

describe('a login on a device', () => {
  // proves: decisions-people/verified
  it('is recorded once by every event with account and fingerprint, including impressions', async () => {
    await takeAll(
      true,
      sent(person('u', null, DEVICE)),
      sent(person('u', 'd', DEVICE)),
      sent({ type: 'impression', ...person('v', null, DEVICE) }),
    );
    await takeAll(true, sent(person('u', null, DEVICE)));
    expect(await logins()).toEqual(['u', 'v']);
  });

  // proves: person/fingerprint_uuid
  it('is not recorded in a project without fingerprints, nor by rejected events', async () => {
    await takeAll(false, sent(person('u', null, DEVICE)));
    await takeAll(true, sent({ item: 'nothing', ...person('u', null, DEVICE) }));
    expect(await logins()).toEqual([]);
  });
});

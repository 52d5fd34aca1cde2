/** Deletes the data stored about a visitor or a user. */
import type pg from 'pg';
import type { Person } from '../../domain/people/personData.ts';
import { findOnlyUsers } from './visitorLinks.ts';
import { lockPeople } from './lock.ts';

/**
 * Deletes a visitor's values, contacts, links and fingerprints, and those of the users to whom only this visitor was
 * linked: personal data must not outlive the last device that sent it. It is removed from the network as well. The
 * caller deletes the visitor's own row (site_visitors) afterwards.
 * @param client in a transaction
 */
export async function deleteVisitorData(client: pg.PoolClient, siteId: string, visitorId: string): Promise<void> {
  const id = visitorId.toLowerCase();
  const users = await findOnlyUsers(client, siteId, id);
  const people: Person[] = [{ kind: 'visitor', id }, ...users.map((user): Person => ({ kind: 'user', id: user }))];
  await lockPeople(client, siteId, people);
  for (const person of people) await deletePerson(client, siteId, person);
  for (const table of ['site_fingerprints', 'site_visitor_users']) {
    await client.query({
      name: `${table}-delete`,
      text: `delete from ${table} where site_id = $1 and visitor_id = $2`,
      values: [siteId, id],
    });
  }
}

/**
 * Deletes a user's values, contacts and interests, and thereby the network's data about the user. The links of the
 * user's visitors (site_visitor_users) are deleted with each visitor.
 * @param client in a transaction
 */
export async function deleteUserData(client: pg.PoolClient, siteId: string, userId: string): Promise<void> {
  const user: Person = { kind: 'user', id: userId };
  await lockPeople(client, siteId, [user]);
  await deletePerson(client, siteId, user);
}

async function deletePerson(client: pg.PoolClient, siteId: string, { kind, id }: Person): Promise<void> {
  for (const table of ['site_person_values', 'site_person_interests', 'site_people']) {
    await client.query({
      name: `${table}-delete`,
      text: `delete from ${table} where site_id = $1 and kind = $2 and person_id = $3`,
      values: [siteId, kind, id],
    });
  }
}

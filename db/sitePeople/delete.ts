/** What is held of a visitor goes with it. */
import type pg from 'pg';
import type { Person } from '../../domain/people/personData.ts';
import { readLinks } from './links.ts';
import { lockPeople } from './lock.ts';

/**
 * Deletes a visitor's values, contacts and fingerprints, and those of its user when no other visitor is
 * linked to that user: what the person told must not outlive the last device that it told it by. The
 * network forgets them with it. The visitor's own row (site_visitors) is the caller's to delete, after this.
 * @param client in a transaction
 */
export async function deleteVisitorData(client: pg.PoolClient, siteId: string, visitorId: string): Promise<void> {
  const id = visitorId.toLowerCase();
  const userId = (await readLinks(client, siteId, [id])).get(id) ?? null;
  const people: Person[] = [{ kind: 'visitor', id }];
  if (userId !== null && (await isOnlyVisitor(client, siteId, userId, id))) people.push({ kind: 'user', id: userId });
  await lockPeople(client, siteId, people);
  for (const person of people) await deletePerson(client, siteId, person);
  await client.query({ name: 'site-fingerprints-delete', text: 'delete from site_fingerprints where site_id = $1 and visitor_id = $2', values: [siteId, id] });
}

async function isOnlyVisitor(client: pg.PoolClient, siteId: string, userId: string, visitorId: string): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'site-user-visitors',
    text: 'select from site_visitors where site_id = $1 and user_id = $2 and visitor_id <> $3 limit 1',
    values: [siteId, userId, visitorId],
  });
  return rowCount === 0;
}

async function deletePerson(client: pg.PoolClient, siteId: string, { kind, id }: Person): Promise<void> {
  for (const table of ['site_person_values', 'site_person_interests', 'site_people']) {
    await client.query({ name: `${table}-delete`, text: `delete from ${table} where site_id = $1 and kind = $2 and person_id = $3`, values: [siteId, kind, id] });
  }
}

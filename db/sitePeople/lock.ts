/**
 * Mutual exclusion of changes of a site's people. Each change locks the rows of site_people that it changes, all at
 * once and in key order, so that they never deadlock. A first link locks the visitor as well as the user, so a writer
 * of a visitor's values who holds its lock sees the link. A deletion locks the deleted people, so a writer who found
 * somebody before and gets the lock afterwards sees the deletion.
 *
 * Here and in related files many people are looked up by `lateral` with `offset 0` or a lock in it, and never by a
 * join: without statistics, or with a plan that was cached before, a join may read all people of the site.
 */
import type pg from 'pg';
import { personKey, type Person } from '../../domain/people/personData.ts';
import { arrayParameter } from '../arrays.ts';
import { StaleLookupError } from '../staleLookups.ts';

export const stalePerson = (): StaleLookupError =>
  new StaleLookupError('a visitor was linked to a user, or somebody was deleted meanwhile');

/**
 * Creates the people that are new, and locks all of them until the end of the transaction, before data about them is
 * stored.
 */
export async function lockPeople(client: pg.PoolClient, siteId: string, people: readonly Person[]): Promise<void> {
  const distinct = [...new Map(people.map((person) => [personKey(person), person])).values()];
  if (distinct.length === 0) return;
  await client.query({
    name: 'site-people-lock',
    // A conflict locks the row, even when nothing is to be written; a row that is being deleted is inserted again.
    text: `insert into site_people as p (site_id, kind, person_id)
           select $1, w.kind, w.id from unnest($2::text[], $3::text[]) as w (kind, id) order by w.kind, w.id collate "C"
           on conflict (site_id, kind, person_id) do update set told_at = excluded.told_at where p.told_at < excluded.told_at - interval '1 day'`,
    values: [siteId, ...personColumns(distinct)],
  });
}

/**
 * Checks that none of the users was deleted before the lock, for callers whose data concerns only known users.
 * @throws {StaleLookupError} for users whom the lock has created and to whom no visitor is linked
 */
export async function requireKnown(client: pg.PoolClient, siteId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { rowCount } = await client.query({
    name: 'site-users-known',
    // The rows that the transaction inserts carry the time of the transaction.
    text: `select from unnest($2::text[]) as w (id)
            where (select created_at from site_people p where p.site_id = $1 and p.kind = 'user' and p.person_id = w.id) = now()
              and (select true from site_visitors v where v.site_id = $1 and v.user_id = w.id limit 1) is null`,
    values: [siteId, arrayParameter(userIds)],
  });
  if (rowCount !== 0) throw stalePerson();
}

/** Returns kinds and ids as the parameters of `unnest($n::text[], $m::text[])`. */
export function personColumns(people: readonly Person[]) {
  return [arrayParameter(people.map(({ kind }) => kind)), arrayParameter(people.map(({ id }) => id))];
}

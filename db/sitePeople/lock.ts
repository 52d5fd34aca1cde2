/**
 * How changes of a site's people exclude each other: each locks the rows of site_people that it changes,
 * all at once and in the order of the key, so that no two wait in a circle. A first link locks the
 * visitor as well as the user, so whoever writes a visitor's values and holds its lock sees the link. A deletion
 * locks whom it deletes, so whoever found somebody before and has the lock after it sees that it is gone.
 *
 * Here and beside it many people are looked up by `lateral` with `offset 0` or a lock in it, and never by a
 * join: without statistics, or with a plan that was cached before, a join may read all people of the site.
 */
import type pg from 'pg';
import { personKey, type Person } from '../../domain/people/personData.ts';
import { arrayParameter } from '../arrays.ts';
import { inTransaction } from '../pool.ts';

/** Somebody was linked or deleted between the look at it and its lock: to be done anew, in a new transaction. */
class StalePerson extends Error {
  override readonly name = 'StalePerson';
}

export const stalePerson = (): Error =>
  new StalePerson('a visitor was linked to a user, or somebody was deleted meanwhile');

/** Each new try waited for another one's commit, so a handful of them is a storm. */
const MAX_TRIES = 10;

/** Runs `work` in a transaction, and anew as long as those it concerns are linked or deleted meanwhile. */
export async function withFreshPeople<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if (!(error instanceof StalePerson) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Creates the people that are new, and locks all until the end of the transaction: something is told of them. */
export async function lockPeople(client: pg.PoolClient, siteId: string, people: readonly Person[]): Promise<void> {
  const distinct = [...new Map(people.map((person) => [personKey(person), person])).values()];
  if (distinct.length === 0) return;
  await client.query({
    name: 'site-people-lock',
    // A conflict locks the row, also when nothing is to be written; one that is being deleted is made anew.
    text: `insert into site_people as p (site_id, kind, person_id)
           select $1, w.kind, w.id from unnest($2::text[], $3::text[]) as w (kind, id) order by w.kind, w.id collate "C"
           on conflict (site_id, kind, person_id) do update set told_at = excluded.told_at where p.told_at < excluded.told_at - interval '1 day'`,
    values: [siteId, ...personColumns(distinct)],
  });
}

/**
 * For whoever tells only of users that are known: none of them may have been deleted before the lock.
 * @throws {Error} StalePerson for users whom the lock has made and no visitor is linked to
 */
export async function requireKnown(client: pg.PoolClient, siteId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { rowCount } = await client.query({
    name: 'site-users-known',
    // The time of the transaction is that of the rows it makes.
    text: `select from unnest($2::text[]) as w (id)
            where (select created_at from site_people p where p.site_id = $1 and p.kind = 'user' and p.person_id = w.id) = now()
              and (select true from site_visitors v where v.site_id = $1 and v.user_id = w.id limit 1) is null`,
    values: [siteId, arrayParameter(userIds)],
  });
  if (rowCount !== 0) throw stalePerson();
}

/** Kinds and ids as the parameters of `unnest($n::text[], $m::text[])`. */
export function personColumns(people: readonly Person[]) {
  return [arrayParameter(people.map(({ kind }) => kind)), arrayParameter(people.map(({ id }) => id))];
}

/**
 * Batches in the inbox that may change the visit or the owner of a fact. The conditions are scalar subqueries and not
 * `exists`, which as a join might read the whole inbox (db/sitePeople/lock.ts).
 */
import { fits, visitorsOfUser } from './visitOfFact.ts';

interface FactColumns {
  site: string;
  occurred: string;
  /** SQL condition on a batch `i` of the inbox that selects the batches that count. */
  batches?: string;
}

/**
 * Returns the SQL condition that a hit in the inbox may begin the visit to which the fact belongs, or extend a visit of
 * the same visitor to the fact's time. A batch covers the time from its first event to its receipt, because no event
 * is later.
 */
export function hasWaitingHits({
  site,
  visitor,
  occurred,
  batches = 'true',
}: FactColumns & { visitor: string }): string {
  return `(select true from collect_inbox i
             where i.site_id = ${site} and i.visitor_id = ${visitor} and ${batches}
               and ${fits({ from: 'coalesce(i.first_at, i.received_at)', to: 'i.received_at' }, occurred)} limit 1) is not null`;
}

/**
 * Returns the SQL condition that a batch of a visitor names a user. It may be the first login, after which the fact is
 * that user's, even if it happened before.
 */
export function isLoginWaiting({ site, visitor }: { site: string; visitor: string }): string {
  return `(select true from collect_inbox i
             where i.site_id = ${site} and i.visitor_id = ${visitor} and i.user_ids is not null limit 1) is not null`;
}

/** Returns the condition of {@link hasWaitingHits} for any visitor of a user. */
export function hitsOfUserWait({ user, ...fact }: FactColumns & { user: string }): string {
  return `(select true from ${visitorsOfUser({ site: fact.site, user })} k where ${hasWaitingHits({ ...fact, visitor: 'k.visitor_id' })} limit 1) is not null`;
}

/**
 * Returns a subquery of the visitor of a batch that names a user and will link them: visits of any age then become the
 * user's. It is looked up by the user, who has few batches, and not by the site, which may have all of them: hence `||
 * ''`.
 */
export function visitorToLink({
  site,
  user,
  batches = 'true',
}: Omit<FactColumns, 'occurred'> & { user: string }): string {
  return `(select i.visitor_id from collect_inbox i
            where i.user_ids @> array[${user}] and i.site_id || '' = ${site} and ${batches}
              and (select true from site_visitors w where w.site_id = i.site_id and w.visitor_id = i.visitor_id) limit 1)`;
}

/**
 * What is on its way in the inbox and may change of which visit a fact is, or whose. Scalar subqueries, and not
 * `exists`: as a join they might read all that waits (db/sitePeople/lock.ts).
 */
import { fits, visitorsOfUser } from './visitAt.ts';

interface FactColumns {
  site: string;
  occurred: string;
  /** Condition on a batch `i` of the inbox: which of those that wait count. */
  batches?: string;
}

/**
 * Whether a hit waits that may begin the visitor's visit of the fact, or move one to it. A batch stands for the
 * time from its first event to its receipt, for no event is later.
 */
export function hitsWait({ site, visitor, occurred, batches = 'true' }: FactColumns & { visitor: string }): string {
  return `(select true from collect_inbox i
             where i.site_id = ${site} and i.visitor_id = ${visitor} and ${batches}
               and ${fits({ from: 'coalesce(i.first_at, i.received_at)', to: 'i.received_at' }, occurred)} limit 1) is not null`;
}

/** The same of any visitor of a user. */
export function hitsOfUserWait({ user, ...fact }: FactColumns & { user: string }): string {
  return `(select true from ${visitorsOfUser({ site: fact.site, user })} k where ${hitsWait({ ...fact, visitor: 'k.visitor_id' })} limit 1) is not null`;
}

/**
 * A subquery of the visitor of a batch that names a user, and is to link them: visits of any age become the user's by
 * it. Looked up by the user, of whom few batches are, and not by the site, of which all may be: hence `|| ''`.
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

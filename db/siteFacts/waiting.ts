/** What is on its way in the inbox and may change of which visit a fact is, or whose. */
import { fits } from './visitAt.ts';

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
  return `exists (select from collect_inbox i
                   where i.site_id = ${site} and i.visitor_id = ${visitor} and ${batches}
                     and ${fits({ from: 'coalesce(i.first_at, i.received_at)', to: 'i.received_at' }, occurred)})`;
}

/** The same of any visitor that is linked to a user. */
export function hitsOfUserWait({ user, ...fact }: FactColumns & { user: string }): string {
  return `exists (select from site_visitors k where k.site_id = ${fact.site} and k.user_id = ${user} and ${hitsWait({ ...fact, visitor: 'k.visitor_id' })})`;
}

/**
 * A subquery of the visitor of a batch that names a user, and is to link them: visits of any age become the user's by
 * it. `offset 0` keeps the look-up by the user, of whom few batches are, and not by the site.
 */
export function visitorToLink({ site, user, batches = 'true' }: Omit<FactColumns, 'occurred'> & { user: string }): string {
  return `(select n.visitor_id from (select i.site_id, i.visitor_id from collect_inbox i where i.user_ids @> array[${user}] and ${batches} offset 0) n
            where n.site_id = ${site} and exists (select from site_visitors w where w.site_id = n.site_id and w.visitor_id = n.visitor_id) limit 1)`;
}

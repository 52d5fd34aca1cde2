/**
 * The visit of a fact: the last one that started at or before it, and at most 90 days earlier. PostgreSQL keeps visits
 * as long as the lake has them (db/sites/retention.ts), so the lake is never searched.
 */
import { ATTRIBUTION_HOURS } from '../../domain/sites/attributionWindow.ts';

/**
 * Returns the condition that some time from `from` to `to` may be the start of the visit of a fact at `occurred`. A
 * time without a fraction stands for its whole second, as the API document writes times: otherwise a visit of
 * 09:00:00.2 would be too late for a conversion at "09:00:00".
 */
export function fits({ from, to }: { from: string; to: string }, occurred: string): string {
  return `${from} <= case when ${occurred} = date_trunc('second', ${occurred}) then ${occurred} + interval '999 milliseconds' else ${occurred} end
      and ${to} >= ${occurred} - interval '${ATTRIBUTION_HOURS} hours'`;
}

interface VisitorFact {
  site: string;
  visitor: string;
  occurred: string;
  /** SQL condition on the visit `v`. */
  visits?: string;
}

/** Returns a lateral subquery of (visitor_id, visit_id, started_at), one row or none: the visit of a visitor. */
export function visitOfVisitor({ visits = 'true', ...fact }: VisitorFact): string {
  return `(select v.visitor_id, v.visit_id, v.started_at from site_visits v
            where v.site_id = ${fact.site} and v.visitor_id = ${fact.visitor} and ${fits({ from: 'v.started_at', to: 'v.started_at' }, fact.occurred)} and ${visits}
            order by v.started_at desc, v.visit_id limit 1)`;
}

/**
 * The end of a link `l` that has been replaced; a link that an earlier release stored ended when the next one began.
 */
const END_OF_LINK = `coalesce(l.ended_at, (select min(o.linked_at) from site_visitor_users o
                    where o.site_id = l.site_id and o.visitor_id = l.visitor_id and o.linked_at > l.linked_at), 'infinity')`;

/**
 * Returns a subquery of (visitor_id, until): the visitors that are linked to a user, and those that were linked until
 * another user followed; their earlier facts may still be the user's.
 */
export function visitorsOfUser({ site, user }: { site: string; user: string }): string {
  return `(select k.visitor_id, 'infinity'::timestamptz as until from site_visitors k where k.site_id = ${site} and k.user_id = ${user}
           union all
           select l.visitor_id, ${END_OF_LINK}
             from site_visitor_users l
             join site_visitors k on k.site_id = l.site_id and k.visitor_id = l.visitor_id and k.user_id is distinct from l.user_id
            where l.site_id = ${site} and l.user_id = ${user})`;
}

/** Returns a subquery like that of {@link visitOfVisitor}: the latest visit of all visitors of a user. */
export function visitOfUser(fact: { site: string; user: string; occurred: string }): string {
  const visit = visitOfVisitor({
    site: fact.site,
    visitor: 'k.visitor_id',
    occurred: fact.occurred,
    visits: 'v.started_at < k.until',
  });
  return `(select v.visitor_id, v.visit_id, v.started_at from ${visitorsOfUser(fact)} k cross join lateral ${visit} v
            order by v.started_at desc, v.visit_id limit 1)`;
}

/**
 * Returns a subquery of the user who was signed in on a visitor's device when a fact happened; before the first login
 * it is the user who came first. `linked_at` is the time of the ingest, so in history that was loaded the ends of the
 * links decide the order.
 */
export function userOfVisitor({ site, visitor, occurred }: Omit<VisitorFact, 'visits'>): string {
  return `(select w.user_id from site_visitors k cross join lateral (
             select k.user_id, coalesce((select l.linked_at from site_visitor_users l
                      where l.site_id = k.site_id and l.visitor_id = k.visitor_id and l.user_id = k.user_id), '-infinity') as since, 'infinity'::timestamptz as until
              where k.user_id is not null
             union all
             select l.user_id, l.linked_at, ${END_OF_LINK}
               from site_visitor_users l
              where l.site_id = k.site_id and l.visitor_id = k.visitor_id and l.user_id <> k.user_id) w
            where k.site_id = ${site} and k.visitor_id = ${visitor} and w.until > ${occurred}
            order by w.since <= ${occurred} desc, case when w.since <= ${occurred} then w.since end desc, w.since, w.until limit 1)`;
}

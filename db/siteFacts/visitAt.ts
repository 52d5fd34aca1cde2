/** Which visit a fact belongs to: the last that started at or before it, and not over 90 days earlier. */
import { ATTRIBUTION_HOURS } from '../../domain/siteFacts.ts';

/**
 * Whether some moment from `from` to `to` may be the start of the visit of a fact at `occurred`. A moment without a
 * fraction stands for its whole second, as the API document writes them: else a visit of 09:00:00.2 would be
 * too late for a conversion "09:00:00".
 */
export function fits({ from, to }: { from: string; to: string }, occurred: string): string {
  return `${from} <= case when ${occurred} = date_trunc('second', ${occurred}) then ${occurred} + interval '999 milliseconds' else ${occurred} end
      and ${to} >= ${occurred} - interval '${ATTRIBUTION_HOURS} hours'`;
}

/** A lateral subquery of (visitor_id, visit_id, started_at), one row or none: the visit of a visitor. */
export function visitOfVisitor(fact: { site: string; visitor: string; occurred: string }): string {
  return `(select v.visitor_id, v.visit_id, v.started_at from site_visits v
            where v.site_id = ${fact.site} and v.visitor_id = ${fact.visitor} and ${fits({ from: 'v.started_at', to: 'v.started_at' }, fact.occurred)}
            order by v.started_at desc, v.visit_id limit 1)`;
}

/** The same of whoever of the visitors linked to a user came last. */
export function visitOfUser(fact: { site: string; user: string; occurred: string }): string {
  const visit = visitOfVisitor({ site: fact.site, visitor: 'k.visitor_id', occurred: fact.occurred });
  return `(select v.visitor_id, v.visit_id, v.started_at from site_visitors k cross join lateral ${visit} v
            where k.site_id = ${fact.site} and k.user_id = ${fact.user}
            order by v.started_at desc, v.visit_id limit 1)`;
}

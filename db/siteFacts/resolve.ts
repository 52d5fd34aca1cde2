/** Whose a fact is that a site's server sends, and of which visit. */
import type pg from 'pg';
import type { Attribution } from '../../domain/siteFacts.ts';
import type { Queryable } from '../pool.ts';
import { visitOfUser, visitOfVisitor, visitorsOfUser } from './visitAt.ts';
import { hitsOfUserWait, hitsWait, visitorToLink } from './waiting.ts';

/** A visitor, or a user when the visitor is not known. */
export interface FactSubject {
  visitorId: string | null;
  userId: string | null;
  occurredAt: Date;
}

export interface ResolvedFact {
  visitorId: string | null;
  userId: string | null;
  attribution: Attribution;
}

/**
 * For each subject, in order: who and of which visit it is; `none` where there is no visit; null for an unknown
 * visitor. Whoever makes it known is locked until the end of the transaction: what is stored by what was found
 * is there before a visitor can be deleted, or its visitor was gone and was not found.
 * @param client in a transaction
 */
export async function resolveSubjects(
  client: pg.PoolClient,
  siteId: string,
  subjects: readonly FactSubject[],
): Promise<(ResolvedFact | null)[]> {
  if (subjects.length === 0) return [];
  for (;;) {
    const found = await findVisits(client, siteId, subjects);
    const visitors = new Set(
      found.flatMap(({ visitorId, witness }) => (witness === null ? [] : [witness, visitorId ?? witness])),
    );
    const locked = await lockVisitors(client, siteId, [...visitors]);
    // One was deleted between the look and the lock. Each turn there are fewer.
    if (locked === visitors.size) return subjects.map((subject, index) => resolvedOf(subject, found[index]));
  }
}

interface FoundVisit {
  n: string;
  /** The visitor by whom the subject is known; null for an unknown one. */
  witness: string | null;
  /** Something is on its way that may change the visit. */
  isWaiting: boolean;
  /** Of the visitor's link. */
  userId: string | null;
  visitorId: string | null;
  visitId: string | null;
  startedAt: Date | null;
}

function resolvedOf(subject: FactSubject, found: FoundVisit | undefined): ResolvedFact | null {
  if (!found || found.witness === null) return null;
  const { isWaiting, userId, visitorId, visitId, startedAt } = found;
  const person = {
    visitorId: subject.visitorId ?? visitorId,
    userId: subject.visitorId === null ? subject.userId : userId,
  };
  // A user's visitor is told with the visit, for it is the visit that chooses among several.
  if (isWaiting) return { ...person, visitorId: subject.visitorId, attribution: { state: 'pending' } };
  const isFound = visitId !== null && startedAt !== null;
  return { ...person, attribution: isFound ? { state: 'visit', visitId, startedAt } : { state: 'none' } };
}

/**
 * One statement, so that one snapshot tells what is on its way and which visits there are: the ingest turns the
 * one into the other in one transaction.
 */
async function findVisits(client: Queryable, siteId: string, subjects: readonly FactSubject[]): Promise<FoundVisit[]> {
  const fact = { site: '$1', visitor: 's.visitor_id', user: 's.user_id', occurred: 's.occurred_at' };
  const { rows } = await client.query<FoundVisit>({
    name: 'site-facts-resolve',
    text: `with sent as materialized (
             select n, visitor_id, user_id, occurred_at from unnest($2::uuid[], $3::text[], $4::timestamptz[]) with ordinality as s (visitor_id, user_id, occurred_at, n))
           select s.n, k.visitor_id as witness, ${hitsWait(fact)} as "isWaiting",
                  k.user_id as "userId", v.visitor_id as "visitorId", v.visit_id as "visitId", v.started_at as "startedAt"
             from sent s
             left join lateral (select k.visitor_id, k.user_id from site_visitors k where k.site_id = $1 and k.visitor_id = s.visitor_id) k on true
             left join lateral ${visitOfVisitor(fact)} v on true
            where s.visitor_id is not null
           union all
           select s.n, coalesce(k.visitor_id, l.visitor_id), l.visitor_id is not null or ${hitsOfUserWait(fact)},
                  s.user_id, v.visitor_id, v.visit_id, v.started_at
             from sent s
             left join lateral (select k.visitor_id from ${visitorsOfUser(fact)} k limit 1) k on true
             left join lateral ${visitorToLink(fact)} l on true
             left join lateral ${visitOfUser(fact)} v on true
            where s.visitor_id is null
            order by 1`,
    values: [
      siteId,
      subjects.map(({ visitorId }) => visitorId),
      subjects.map(({ userId }) => userId),
      subjects.map(({ occurredAt }) => occurredAt),
    ],
  });
  return rows;
}

/** In the order of the keys, as everybody locks them. @returns how many of them are there */
async function lockVisitors(client: Queryable, siteId: string, visitorIds: readonly string[]): Promise<number> {
  if (visitorIds.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'site-facts-visitors-lock',
    text: `select from (select id from unnest($2::uuid[]) as w (id) order by id) as w
            cross join lateral (select from site_visitors where site_id = $1 and visitor_id = w.id for key share) as k`,
    values: [siteId, visitorIds],
  });
  return rowCount ?? 0;
}

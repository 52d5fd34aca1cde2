/** Finds visitor, user and visit of a fact that a site's server sends. */
import type pg from 'pg';
import type { Attribution } from '../../domain/sites/siteFacts.ts';
import type { Queryable } from '../pool.ts';
import { userOfVisitor, visitOfUser, visitOfVisitor, visitorsOfUser } from './visitOfFact.ts';
import { hitsOfUserWait, hasWaitingHits, isLoginWaiting, visitorToLink } from './waitingHits.ts';

/** The owner of a fact as it was sent (a visitor, or a user when the visitor is unknown), and the time of the fact. */
export interface FactOwner {
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
 * Returns for each owner, in order, visitor, user and visit; `none` where there is no visit; null for an unknown
 * visitor. The visitors on which the result depends are locked until the end of the transaction. A fact that is stored
 * with the result is therefore stored before such a visitor can be deleted; a visitor that was deleted before is not
 * found.
 * @param client in a transaction
 */
export async function resolveOwners(
  client: pg.PoolClient,
  siteId: string,
  owners: readonly FactOwner[],
): Promise<(ResolvedFact | null)[]> {
  if (owners.length === 0) return [];
  for (;;) {
    const found = await findVisits(client, siteId, owners);
    const visitors = new Set(
      found.flatMap(({ visitorId, witness }) => (witness === null ? [] : [witness, visitorId ?? witness])),
    );
    const locked = await lockVisitors(client, siteId, [...visitors]);
    // A visitor was deleted between the look-up and the lock. Each iteration finds fewer of them.
    if (locked === visitors.size) return owners.map((owner, index) => resolvedOf(owner, found[index]));
  }
}

interface FoundVisit {
  n: string;
  /** The visitor by whom the owner is known; null for an unknown owner. */
  witness: string | null;
  /** A batch in the inbox may change the visit or its user. */
  isWaiting: boolean;
  /** The user who was signed in on the visitor's device. */
  userId: string | null;
  visitorId: string | null;
  visitId: string | null;
  startedAt: Date | null;
}

function resolvedOf(owner: FactOwner, found: FoundVisit | undefined): ResolvedFact | null {
  if (!found || found.witness === null) return null;
  const { isWaiting, userId, visitorId, visitId, startedAt } = found;
  const person = {
    visitorId: owner.visitorId ?? visitorId,
    userId: owner.visitorId === null ? owner.userId : userId,
  };
  // A user's visitor is resolved together with the visit, because the visit chooses among several visitors. A
  // visitor's user is left open as well until the hits are processed, because one of them may be a login.
  if (isWaiting) {
    const { visitorId: sent, userId: named } = owner;
    return { visitorId: sent, userId: sent === null ? named : null, attribution: { state: 'pending' } };
  }
  const isFound = visitId !== null && startedAt !== null;
  return { ...person, attribution: isFound ? { state: 'visit', visitId, startedAt } : { state: 'none' } };
}

/**
 * It is one statement, so that one snapshot shows both the waiting batches and what becomes of them: the ingest turns
 * batches into visits and links in one transaction.
 */
async function findVisits(client: Queryable, siteId: string, owners: readonly FactOwner[]): Promise<FoundVisit[]> {
  const fact = { site: '$1', visitor: 's.visitor_id', user: 's.user_id', occurred: 's.occurred_at' };
  const { rows } = await client.query<FoundVisit>({
    name: 'site-facts-resolve',
    text: `with sent as materialized (
             select n, visitor_id, user_id, occurred_at from unnest($2::uuid[], $3::text[], $4::timestamptz[]) with ordinality as s (visitor_id, user_id, occurred_at, n))
           select s.n, k.visitor_id as witness, ${hasWaitingHits(fact)} or (v.visit_id is not null and ${isLoginWaiting(fact)}) as "isWaiting",
                  ${userOfVisitor(fact)} as "userId", v.visitor_id as "visitorId", v.visit_id as "visitId", v.started_at as "startedAt"
             from sent s
             left join lateral (select k.visitor_id from site_visitors k where k.site_id = $1 and k.visitor_id = s.visitor_id) k on true
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
      owners.map(({ visitorId }) => visitorId),
      owners.map(({ userId }) => userId),
      owners.map(({ occurredAt }) => occurredAt),
    ],
  });
  return rows;
}

/** Locks visitors in key order, as everybody does. @returns how many of them exist */
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

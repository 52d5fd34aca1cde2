/** Whose a fact is that a site's server sends, and of which visit. */
import type { Attribution } from '../../domain/siteFacts.ts';
import type { Queryable } from '../pool.ts';
import { visitOfUser, visitOfVisitor } from './visitAt.ts';

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

/** For each subject, in order: who and of which visit it is; `none` where there is no visit; null for an unknown visitor. */
export async function resolveSubjects(pool: Queryable, siteId: string, subjects: readonly FactSubject[]): Promise<(ResolvedFact | null)[]> {
  if (subjects.length === 0) return [];
  const found = await findVisits(pool, siteId, subjects);
  const strangers = [...new Set(subjects.flatMap(({ visitorId, userId }, index) => (visitorId === null && userId !== null && !found[index]?.isKnown ? [userId] : [])))];
  const onTheirWay = await findUsersOnTheirWay(pool, siteId, strangers);
  return subjects.map((subject, index) => {
    const row = found[index];
    if (row?.isKnown) return resolvedOf(subject, row);
    const isOnItsWay = subject.visitorId === null && subject.userId !== null && onTheirWay.has(subject.userId);
    return isOnItsWay ? { visitorId: null, userId: subject.userId, attribution: { state: 'pending' } } : null;
  });
}

interface FoundVisit {
  n: string;
  isKnown: boolean;
  /** Hits are on their way that may begin the visit. */
  isWaiting: boolean;
  /** Of the visitor's link. */
  userId: string | null;
  visitorId: string | null;
  visitId: string | null;
  startedAt: Date | null;
}

function resolvedOf(subject: FactSubject, { isWaiting, userId, visitorId, visitId, startedAt }: FoundVisit): ResolvedFact {
  const person = { visitorId: subject.visitorId ?? visitorId, userId: subject.visitorId === null ? subject.userId : userId };
  // A user's visitor is told with the visit, for it is the visit that chooses among several.
  if (isWaiting) return { ...person, visitorId: subject.visitorId, attribution: { state: 'pending' } };
  const isFound = visitId !== null && startedAt !== null;
  return { ...person, attribution: isFound ? { state: 'visit', visitId, startedAt } : { state: 'none' } };
}

/**
 * One statement, so that one snapshot tells what is on its way and which visits there are: the ingest turns the
 * one into the other in one transaction. A fact of a user waits for all hits of the site, for any of them
 * may link a visitor to him.
 */
async function findVisits(pool: Queryable, siteId: string, subjects: readonly FactSubject[]): Promise<FoundVisit[]> {
  const fact = { site: '$1', visitor: 's.visitor_id', user: 's.user_id', occurred: 's.occurred_at' };
  const { rows } = await pool.query<FoundVisit>({
    name: 'site-facts-resolve',
    text: `with sent as materialized (
             select n, visitor_id, user_id, occurred_at from unnest($2::uuid[], $3::text[], $4::timestamptz[]) with ordinality as s (visitor_id, user_id, occurred_at, n))
           select s.n, k.visitor_id is not null as "isKnown",
                  exists (select from collect_inbox i where i.site_id = $1 and i.visitor_id = s.visitor_id) as "isWaiting",
                  k.user_id as "userId", v.visitor_id as "visitorId", v.visit_id as "visitId", v.started_at as "startedAt"
             from sent s
             left join lateral (select k.visitor_id, k.user_id from site_visitors k where k.site_id = $1 and k.visitor_id = s.visitor_id) k on true
             left join lateral ${visitOfVisitor(fact)} v on true
            where s.visitor_id is not null
           union all
           select s.n, exists (select from site_visitors k where k.site_id = $1 and k.user_id = s.user_id),
                  exists (select from collect_inbox i where i.site_id = $1),
                  s.user_id, v.visitor_id, v.visit_id, v.started_at
             from sent s
             left join lateral ${visitOfUser(fact)} v on true
            where s.visitor_id is null
            order by 1`,
    values: [siteId, subjects.map(({ visitorId }) => visitorId), subjects.map(({ userId }) => userId), subjects.map(({ occurredAt }) => occurredAt)],
  });
  return rows;
}

/** So many of the site's newest batches are looked through for users: a login comes shortly before what it leads to. */
const INBOX_LOOK = 5_000;

/** Of users without a linked visitor those whose link is being ingested, or has been since. */
async function findUsersOnTheirWay(pool: Queryable, siteId: string, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const { rows } = await pool.query<{ userId: string }>({
    name: 'site-users-on-their-way',
    text: `with newest as materialized (
             select batch from collect_inbox where site_id = $1 order by id desc limit ${INBOX_LOOK}
           ), named as materialized (
             select distinct e -> 'user' ->> 'user_id' as user_id from newest, json_array_elements(newest.batch -> 'events') e where e ->> 'type' = 'user')
           select u.user_id as "userId" from unnest($2::text[]) as u (user_id)
            where exists (select from named n where n.user_id = u.user_id)
               or exists (select from site_visitors k where k.site_id = $1 and k.user_id = u.user_id)`,
    values: [siteId, userIds],
  });
  return new Set(rows.map(({ userId }) => userId));
}

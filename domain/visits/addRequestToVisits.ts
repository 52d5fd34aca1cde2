/**
 * Adds the requests that the tag sends for a visitor to the visitor's visits, and collects their hits and consequences:
 * the rules of visits, in order.
 */
import type { CollectedEvent, CollectedOrder, TagUser } from '../collect/collected.ts';
import type { HitRow } from '../reports/lakeRows.ts';
import { assignToVisit } from './visitByPause.ts';
import { takeEvent, takeRequest } from './robotFrequency.ts';
import { conversionsOf, type Conversion } from './goalConversions.ts';
import { hitRow } from './hitRow.ts';
import { sampleHit, type DayCounts, type HitSampling } from '../collect/hitsOverQuota.ts';
import { decideRobot, markFrequent } from './robots.ts';
import type { Request, SiteRules } from './siteRulesAndRequest.ts';
import { beginsVisit, sourceOfEarlierStart } from './significantSource.ts';
import type { History, Visit, Visitor } from './visitState.ts';
import { addHit, beginVisit } from './visit.ts';

export interface TagConversion extends Conversion {
  at: number;
  receivedAt: number;
  weight: number;
  visit: Visit;
  /** The user who was signed in; null when neither the visits nor the batch say who it was. */
  userId: string | null;
}

export interface TagOrder {
  status: 'purchased' | 'refunded';
  order: CollectedOrder;
  at: number;
  receivedAt: number;
  visit: Visit;
  /** As in {@link TagConversion}. */
  userId: string | null;
}

export interface TagUserData {
  siteId: string;
  visitorId: string;
  user: TagUser;
  at: number;
}

/** Reasons for dropping an event: over a frequency limit, over the quota, or a ping without a visit to keep alive. */
export const DROPS = ['frequency', 'quota', 'ping'] as const;
export type Drop = (typeof DROPS)[number];

/** The result of a batch of requests, other than the visits in their histories. */
export interface Outcome {
  hits: HitRow[];
  conversions: TagConversion[];
  orders: TagOrder[];
  users: TagUserData[];
  dropped: Record<Drop, number>;
}

export function emptyOutcome(): Outcome {
  return { hits: [], conversions: [], orders: [], users: [], dropped: { frequency: 0, quota: 0, ping: 0 } };
}

/**
 * Adds one request to the history of its visitor and to the outcome. Requests are passed in the order of their arrival,
 * and the events of each count in the order of their time. `chainVisits` (attribution.ts) adds the values that depend
 * on the order of visits, once all requests are added.
 */
export function addRequestToVisits(
  rules: SiteRules,
  history: History,
  request: Request,
  days: DayCounts,
  outcome: Outcome,
): void {
  const events = request.events.toSorted((a, b) => a.at - b.at);
  if (
    rules.robots.frequency &&
    !takeRequest(history.visitor.memo, request.receivedAt, events.at(-1)?.at ?? request.receivedAt)
  ) {
    markFrequent(history, request.receivedAt);
    outcome.dropped.frequency += events.length;
    return;
  }
  for (const event of events) addEvent(rules, history, request, event, days, outcome);
}

function addEvent(
  rules: SiteRules,
  history: History,
  request: Request,
  event: CollectedEvent,
  days: DayCounts,
  outcome: Outcome,
): void {
  const { visitor } = history;
  if (rules.robots.frequency && !takeEvent(visitor.memo, event.at)) {
    markFrequent(history, event.at);
    outcome.dropped.frequency += 1;
    return;
  }
  const sampling = sampleHit(event.type, event.at, visitor.bucket, days, rules.hitsPerDay);
  if (!sampling.isKept) {
    outcome.dropped.quota += 1;
    return;
  }
  const visit = visitOf(rules, history, request, event, sampling);
  if (visit === null) {
    outcome.dropped.ping += 1;
    return;
  }
  addHit(visit, rules, request, event, sampling.weight);
  decideRobot(visit, visitor, rules, request);
  outcome.hits.push(hitRow(rules, visit, event, sampling.weight));
  const ownerOf = (): Owner => ({ visit, userId: userAt(history, outcome, visit, event.at) });
  addConversions(rules, ownerOf, request, event, sampling.weight, outcome);
  addFacts(history.visitor, ownerOf, request, event, outcome);
}

/**
 * Returns the user who was signed in at a moment of a visit: one browser may have several users. A visit records only
 * its last user. If that user signed in after the moment, an earlier login in the batch counts; without one the result
 * is null, and the visitor's links decide (db/siteFacts/visitOfFact.ts).
 */
function userAt({ visitor, visits }: History, { users }: Outcome, visit: Visit, at: number): string | null {
  const until = visits.slice(0, visits.indexOf(visit) + 1);
  const last = until.findLast(({ row }) => row.user_id !== null);
  if (last === undefined) return null;
  if ((last.memo.user_at ?? at) <= at) return last.row.user_id;
  const logins = users.filter(
    (one) => one.visitorId === visitor.visitorId && one.siteId === visitor.siteId && one.user.user_id && one.at <= at,
  );
  return logins.toSorted((a, b) => a.at - b.at).at(-1)?.user.user_id ?? null;
}

type Owner = Pick<TagConversion, 'visit' | 'userId'>;

/** Returns the visit of a hit, which is begun or moved if necessary; null for a ping that would begin or move one. */
function visitOf(
  rules: SiteRules,
  history: History,
  request: Request,
  event: CollectedEvent,
  sampling: HitSampling,
): Visit | null {
  const assignment = assignToVisit(history.visits, event.at);
  if (assignment.to === 'visit') {
    const { visit } = assignment;
    const source = continues(rules, history, visit, event);
    return source === null
      ? keptIn(visit, sampling)
      : begin(history, beginVisit(history.visitor, request, event, source), sampling);
  }
  if (event.type === 'ping') return null;
  const source = rules.sourceOf(event.url, event.referrer);
  if (assignment.to === 'new') return begin(history, beginVisit(history.visitor, request, event, source), sampling);
  assignment.visit.row.source_last = sourceOfEarlierStart(assignment.visit.row.source_last, source);
  return keptIn(assignment.visit, sampling);
}

/**
 * Returns null when the visit continues with the hit, else the source of a new visit. Late hits never split a visit.
 */
function continues(
  rules: SiteRules,
  { visits }: History,
  visit: Visit,
  event: CollectedEvent,
): Visit['row']['source_last'] | null {
  if (event.type !== 'pageview' || visit !== visits.at(-1) || event.at < visit.row.ended_at) return null;
  const source = rules.sourceOf(event.url, event.referrer);
  return beginsVisit(visit.row.source_last, source) ? source : null;
}

function begin({ visits }: History, visit: Visit, sampling: HitSampling): Visit {
  visit.row.weight = sampling.visitWeight;
  visits.splice(visits.findLastIndex(({ row }) => row.started_at <= visit.row.started_at) + 1, 0, visit);
  return visit;
}

/**
 * A visit that began above the daily quota, outside the sample, has weight 0 (domain/collect/hitsOverQuota.ts). It gets its
 * weight with the first hit that is within the quota of its day.
 */
function keptIn(visit: Visit, sampling: HitSampling): Visit {
  if (visit.row.weight === 0) visit.row.weight = sampling.visitWeight;
  return visit;
}

function addConversions(
  rules: SiteRules,
  ownerOf: () => Owner,
  { receivedAt }: Request,
  event: CollectedEvent,
  weight: number,
  outcome: Outcome,
): void {
  for (const conversion of conversionsOf(event, rules.goals, rules.money))
    outcome.conversions.push({ ...conversion, at: event.at, receivedAt, weight, ...ownerOf() });
}

function addFacts(
  { siteId, visitorId }: Visitor,
  ownerOf: () => Owner,
  request: Request,
  event: CollectedEvent,
  outcome: Outcome,
): void {
  const { at, type, order, user } = event;
  if (order !== null && (type === 'purchase' || type === 'refund')) {
    outcome.orders.push({
      status: type === 'purchase' ? 'purchased' : 'refunded',
      order,
      at,
      receivedAt: request.receivedAt,
      ...ownerOf(),
    });
  }
  if (user !== null && type === 'user') outcome.users.push({ siteId, visitorId, user, at });
}

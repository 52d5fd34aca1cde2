/** A random world of two sites that share a lake, users' names, transactions and knowledge of people. */
import type { ConversionRow, VisitRow } from '../../../../domain/reports/lakeRows.ts';
import { newTenantId } from '../../../../domain/accounts/tenantIds.ts';
import type { Person } from '../../../../domain/people/personData.ts';
import { VISITOR_BUCKETS, visitorBucket } from '../../../../domain/reports/visitorSample.ts';
import type { ReportSite } from '../../../../reports/reportRequest.ts';
import { diceOf, type Dice } from './dice.ts';
import * as pools from './pools.ts';
import type { Link, World } from './world.ts';
import { randomFacts } from './worldFacts.ts';
import { effectiveValues, randomTold, type ToldPerson } from './worldPeople.ts';
import { randomVisits, type RandomVisit, type RandomVisitor } from './worldVisits.ts';

/** Where a visit of the world is stored. */
export type Place =
  /** In the lake, up to date. */
  | 'lake'
  /** Open: only in PostgreSQL. */
  | 'open'
  /** Changed since it was written to the lake. */
  | 'changed'
  /** On its way to the lake for the first time, or with a change. */
  | 'staged'
  | 'changed and staged';

export interface RandomWorld {
  seed: number;
  world: World;
  site: ReportSite;
  otherSiteId: string;
  /** A day in the middle of it. */
  day: string;
  places: Map<string, Place>;
  /** The versions in the lake of visits that have changed since. */
  older: VisitRow[];
  /** Visits that could not be settled: in PostgreSQL, and in no report. */
  setAside: VisitRow[];
  people: ToldPerson[];
  visitors: RandomVisitor[];
}

export function randomWorld(seed: number, today: Date): RandomWorld {
  const dice = diceOf(seed);
  // Not from the seed, because worlds share a lake.
  const [siteId, otherSiteId] = [newTenantId(), newTenantId()];
  const [day, timezone] = dice.pick(pools.DAYS);
  const base = Date.parse(`${day}T00:00:00Z`);
  const isSmall = dice.chance(4);
  const visitors = [
    ...dice.times(isSmall ? 0 : 5, isSmall ? 2 : 14, () => randomVisitor(dice, siteId)),
    ...dice.times(1, 3, () => randomVisitor(dice, otherSiteId)),
  ];
  const random = visitors.map((visitor, index) => {
    const visits = dice.chance(93) ? randomVisits(dice, visitor, base) : [];
    return { visits, ...randomFacts(dice, visitor, visits, base, `${visitor.siteId === siteId ? 'a' : 'b'}${index}`) };
  });
  const people = randomPeople(dice, visitors, [siteId, otherSiteId], today);
  const setAside = random
    .flatMap((one) => one.visits)
    .slice(0, dice.int(0, 2))
    .map((visit) => setAsideAs(visit, dice.uuid(), () => dice.uuid()));
  const conversions = [
    ...random.flatMap((one) => one.conversions),
    ...setAside.map(({ row }, index) => conversionOf(row, index)),
  ];
  const visits = random.flatMap((one) =>
    one.visits.map(({ row }) => withGoals(row, conversions.filter(({ visit_id }) => visit_id === row.visit_id).length)),
  );
  const places = new Map(
    visits.map(({ visit_id }) => [
      visit_id,
      dice.pick(['lake', 'lake', 'lake', 'open', 'changed', 'staged', 'changed and staged'] as const),
    ]),
  );
  return {
    seed,
    otherSiteId,
    day,
    people,
    visitors,
    places,
    world: {
      visits,
      conversions,
      hits: [...random.flatMap((one) => one.visits), ...setAside].flatMap(({ hits }) => hits),
      orders: random.flatMap((one) => one.orders),
      order_lines: random.flatMap((one) => one.lines),
      links: visitors.flatMap(({ siteId: site, visitorId, userId }): Link[] =>
        userId === null ? [] : [{ siteId: site, visitorId, userId }],
      ),
      values: effectiveValues(siteId, people),
    },
    older: visits
      .filter(({ visit_id }) => places.get(visit_id)?.startsWith('changed'))
      .map((visit) => olderOf(dice, visit)),
    setAside: setAside.map(({ row }) => row),
    site: {
      siteId,
      timezone,
      currency: 'RUB',
      rates: { USD: dice.pick([92.5, 0.010_869, 1]) },
      goals: pools.GOALS.map((code) => ({ code, title: `Goal «${code}»` })),
    },
  };
}

function randomVisitor(dice: Dice, siteId: string): RandomVisitor {
  const isInSample = dice.chance(40);
  let visitorId = dice.uuid();
  while (isInSample !== visitorBucket(visitorId) < VISITOR_BUCKETS / 10) visitorId = dice.uuid();
  return {
    siteId,
    visitorId,
    bucket: visitorBucket(visitorId),
    userId: dice.chance(60) ? dice.pick(pools.USERS) : null,
  };
}

/** Returns a second, identical visit that could not be settled; its hits and conversions are in the lake. */
function setAsideAs({ row, hits }: RandomVisit, visitId: string, newId: () => string): RandomVisit {
  return {
    row: { ...row, visit_id: visitId },
    hits: hits.map((hit) => ({ ...hit, visit_id: visitId, hit_id: newId() })),
  };
}

function conversionOf(
  { site_id, visit_id, visitor_id, visitor_bucket, started_at }: VisitRow,
  index: number,
): ConversionRow {
  return {
    site_id,
    visit_id,
    visitor_id,
    visitor_bucket,
    user_id: null,
    visit_started_at: started_at,
    at: started_at,
    weight: 1,
    origin: 'tag',
    conversion_id: `aside-${index}`,
    goal: pools.GOALS[0],
    goal_source: 'tag',
    value: 1,
  };
}

function withGoals(row: VisitRow, goals: number): VisitRow {
  return { ...row, goals, is_bounce: row.is_bounce && goals === 0 };
}

/** Returns the visit as it was before its last hits, and before a late arrival moved its start. */
function olderOf(dice: Dice, visit: VisitRow): VisitRow {
  const started = dice.chance(50)
    ? visit.started_at
    : Math.min(visit.ended_at, visit.started_at + dice.int(1, 3_600_000));
  return {
    ...visit,
    started_at: started,
    duration_s: 0,
    pageviews: 1,
    weighted_pageviews: 1,
    hits: 1,
    weighted_hits: 1,
    goals: 0,
    is_bounce: true,
    device_type: 'console',
    is_robot: false,
  };
}

function randomPeople(
  dice: Dice,
  visitors: readonly RandomVisitor[],
  sites: readonly string[],
  today: Date,
): ToldPerson[] {
  return sites.flatMap((siteId) => {
    const known = visitors.filter((visitor) => visitor.siteId === siteId);
    const persons: Person[] = [
      ...pools.USERS.map((id): Person => ({ kind: 'user', id })),
      ...known.map(({ visitorId }): Person => ({ kind: 'visitor', id: visitorId })),
    ];
    return persons
      .filter(() => dice.chance(60))
      .map((person, index): ToldPerson => ({
        siteId,
        person,
        // No two people of a site have the same address, so that the network has one source.
        email: dice.chance(70) ? `${index}@${sites[0]}.example` : null,
        told: (['site', 'user'] as const)
          .filter(() => dice.chance(60))
          .flatMap((source) => randomTold(dice, siteId, person, source, today)),
      }));
  });
}

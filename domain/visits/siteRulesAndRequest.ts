/** The settings of a site and the data of a request that the rules of visits (addRequestToVisits.ts, visit.ts) need. */
import type { CollectedBatch } from '../collect/collected.ts';
import type { ClientFacts, Place } from '../reports/lakeRows.ts';
import type { Money } from '../orders/refunds.ts';
import type { RobotRules } from '../sites/robotRules.ts';
import type { TrafficSource } from '../sites/trafficSource.ts';
import type { SiteGoals } from './goalConversions.ts';
import type { PageParts } from './addresses/pageParts.ts';

export interface SiteRules {
  readonly siteId: string;
  readonly money: Money;
  readonly hitsPerDay: number;
  readonly robots: RobotRules;
  readonly goals: SiteGoals;
  /** Pure functions; they are passed in because their lists are not part of the domain. */
  sourceOf(url: string, referrer: string | null): TrafficSource;
  pageOf(url: string): PageParts;
}

/** A request's events of one visitor, with the data about its sender. */
export interface Request extends CollectedBatch {
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Why the sender is a robot, by user agent or address. */
  robotReason: string | null;
  /** Called when a visit begins. */
  client(): ClientFacts;
  place(): Place;
}

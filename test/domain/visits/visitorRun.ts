/** Runs the rules as the ingest does: in batches, between which all state is stored and loaded. */
import type { CollectedDevice, CollectedEvent } from '../../../domain/collect/collected.ts';
import type { VisitRow } from '../../../domain/reports/lakeRows.ts';
import type { Goal } from '../../../domain/sites/goalDefinition.ts';
import type { SourceType, TrafficSource } from '../../../domain/sites/trafficSource.ts';
import { chainVisits } from '../../../domain/visits/attribution.ts';
import { emptyOutcome, addRequestToVisits, type Outcome } from '../../../domain/visits/addRequestToVisits.ts';
import { prepareGoals } from '../../../domain/visits/goalConversions.ts';
import { pageParts } from '../../../domain/visits/addresses/pageParts.ts';
import type { DayCounts } from '../../../domain/collect/hitsOverQuota.ts';
import { VISIT_PAUSE_MS } from '../../../domain/visits/visitPause.ts';
import type { Request, SiteRules } from '../../../domain/visits/siteRulesAndRequest.ts';
import {
  EMPTY_ROW,
  packVisit,
  packVisitor,
  unpackVisit,
  unpackVisitor,
  type StoredVisit,
  type Visit,
  type VisitorMemo,
} from '../../../domain/visits/visitState.ts';
import { type RobotRules, DEFAULT_ROBOT_RULES } from '../../../domain/sites/robotRules.ts';

/** 2026-03-15 09:00 UTC, noon in Moscow. */
export const START = Date.UTC(2026, 2, 15, 9);
export const MINUTE = 60_000;
export const SECOND = 1000;

/** Returns a source: `type:name` as referrer; null is direct, a URL is internal. */
export function source(spec: string | null): TrafficSource {
  const [type, name] = spec === null ? ['direct', null] : spec.includes('//') ? ['internal', null] : spec.split(':');
  return { ...EMPTY_ROW.source_last, source_type: type as SourceType, source_name: name ?? null };
}

let count = 0;

/** Returns a page view with overrides; `at` in milliseconds after START. */
export function event(at: number, given: Partial<CollectedEvent> = {}): CollectedEvent {
  count += 1;
  return {
    key: `00000000-0000-8000-8000-${count.toString(16).padStart(12, '0')}`,
    at: START + at,
    type: 'pageview',
    url: 'https://shop.example/a?b=c#d',
    referrer: null,
    title: null,
    name: null,
    target: null,
    depth: null,
    x: null,
    y: null,
    selector: null,
    params: null,
    order: null,
    user: null,
    ...given,
  };
}

export interface GivenRequest {
  events: CollectedEvent[];
  /** Milliseconds after START; the default is the last event's time. */
  receivedAt?: number;
  robotReason?: string | null;
  device?: CollectedDevice | null;
}

export const DEVICE: CollectedDevice = {
  screen: '1920x1080',
  window: '1200x800',
  language: 'ru-RU',
  timezone: 'Europe/Moscow',
};

export interface RunOptions {
  goals?: Goal[];
  hitsPerDay?: number;
  robots?: Partial<RobotRules>;
  bucket?: number;
}

/** One visitor of one site, whose requests arrive in batches. */
export class VisitorRun {
  readonly rules: SiteRules;
  readonly days: DayCounts = new Map();
  readonly outcome: Outcome = emptyOutcome();
  readonly #bucket: number;
  #visitor: { visits: number; firstVisitAt: number | null; lastVisitAt: number | null; state: string | null } = {
    visits: 0,
    firstVisitAt: null,
    lastVisitAt: null,
    state: null,
  };
  #visits = new Map<string, string>();

  constructor({ goals = [], hitsPerDay = 1_000_000, robots = {}, bucket = 7 }: RunOptions = {}) {
    this.#bucket = bucket;
    this.rules = {
      siteId: 'site00000001',
      money: { currency: 'RUB', rates: { USD: 80 } },
      hitsPerDay,
      robots: { ...DEFAULT_ROBOT_RULES, ...robots },
      goals: prepareGoals(goals, (pattern) => (text) => new RegExp(pattern).test(text)),
      sourceOf: (_url, referrer) => source(referrer),
      pageOf: pageParts,
    };
  }

  /** Runs one transaction of the ingest. @returns the ids of the changed visits */
  batch(requests: readonly GivenRequest[]): string[] {
    const visitor = {
      siteId: 'site00000001',
      visitorId: '11111111-1111-4111-8111-111111111111',
      bucket: this.#bucket,
      ...this.#visitor,
      memo: unpackVisitor(this.#visitor.state === null ? null : (JSON.parse(this.#visitor.state) as VisitorMemo)),
    };
    const visits = this.#load(requests);
    const known = visits.length;
    for (const request of requests)
      addRequestToVisits(this.rules, { visitor, visits }, requestOf(request), this.days, this.outcome);
    chainVisits({ visitor, visits }, known);
    const changed = visits.filter((visit) => visit.isChanged);
    for (const visit of changed) this.#visits.set(visit.row.visit_id, packVisit(visit));
    this.#visitor = {
      visits: visitor.visits,
      firstVisitAt: visitor.firstVisitAt,
      lastVisitAt: visitor.lastVisitAt,
      state: packVisitor(visitor.memo),
    };
    return changed.map((visit) => visit.row.visit_id);
  }

  /** Sends one event a request and one request a batch. */
  hits(...events: CollectedEvent[]): void {
    for (const one of events) this.batch([{ events: [one], device: DEVICE }]);
  }

  /** The stored visits, ordered by start. */
  get visits(): VisitRow[] {
    return this.stored.map((visit) => visit.row);
  }

  get visitor(): { visits: number; firstVisitAt: number | null; lastVisitAt: number | null } {
    const { visits, firstVisitAt, lastVisitAt } = this.#visitor;
    return { visits, firstVisitAt, lastVisitAt };
  }

  /** Deletes visits as retention does. */
  forgetVisitsBefore(at: number): void {
    for (const { row } of this.stored) if (row.ended_at < at) this.#visits.delete(row.visit_id);
  }

  /** The visits as the next batch or the settling would load them, ordered by start. */
  get stored(): Visit[] {
    return [...this.#visits.values()]
      .map((text) => unpackVisit(JSON.parse(text) as StoredVisit))
      .sort((a, b) => a.row.started_at - b.row.started_at || a.row.visit_number - b.row.visit_number);
  }

  /** Returns what db/visits/visits.ts would load. */
  #load(requests: readonly GivenRequest[]): Visit[] {
    const since = Math.min(...requests.flatMap(({ events }) => events.map(({ at }) => at))) - VISIT_PAUSE_MS;
    const all = this.stored;
    const before = all.findLast(({ row }) => row.ended_at < since);
    return all.filter(({ row }) => row.started_at >= (before?.row.started_at ?? Number.NEGATIVE_INFINITY));
  }
}

function requestOf({ events, receivedAt, robotReason = null, device = null }: GivenRequest): Request {
  return {
    events,
    device,
    robotReason,
    receivedAt: receivedAt === undefined ? Math.max(...events.map(({ at }) => at)) : START + receivedAt,
    client: () => ({
      device_type: 'desktop',
      device_brand: 'Dell',
      device_model: 'XPS',
      os: 'Linux',
      os_version: '24.04',
      browser: 'Firefox',
      browser_version: '142',
      browser_engine: 'Gecko',
    }),
    place: () => ({ continent: 'EU', country: 'RU', region: 'Moscow', city: 'Moscow' }),
  };
}

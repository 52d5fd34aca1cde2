/** Visitors with visits and hits, as the ingest leaves them. */
import type { CollectType } from '../../../../domain/collect/collected.ts';
import type { HitRow, VisitRow } from '../../../../domain/reports/lakeRows.ts';
import type { TrafficSource } from '../../../../domain/sites/trafficSource.ts';
import { BOUNCE_MS } from '../../../../domain/visits/bounce.ts';
import { EMPTY_ROW } from '../../../../domain/visits/visitState.ts';
import type { Dice } from './dice.ts';
import * as pools from './pools.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface RandomVisitor {
  siteId: string;
  visitorId: string;
  bucket: number;
  /** The user to whom the visitor is linked now; rows of a visitor without a user name none. */
  userId: string | null;
}

export interface RandomVisit {
  row: VisitRow;
  hits: HitRow[];
}

/** How often each type is drawn. The evaluator takes refunds from orders alone. */
const SHARES: Readonly<Record<CollectType, number>> = {
  pageview: 3,
  event: 1,
  scroll: 2,
  form: 1,
  outbound: 1,
  download: 1,
  goal: 1,
  click: 1,
  user: 1,
  purchase: 1,
  ping: 1,
  refund: 0,
};
const TYPES = Object.entries(SHARES).flatMap(([type, share]) =>
  Array.from({ length: share }, () => type as CollectType),
);
/** Types that are kept even from visitors outside the sample. */
const LISTED: readonly CollectType[] = ['form', 'goal', 'purchase', 'user'];

/** Returns all visits of a visitor, some with hits that have an outdated start. */
export function randomVisits(dice: Dice, visitor: RandomVisitor, base: number): RandomVisit[] {
  const forgotten = dice.chance(20) ? dice.int(1, 12) : 0;
  const firstAt = base - 100 * DAY - dice.int(0, 30 * DAY);
  const starts = dice.times(1, 5, () => randomStart(dice, base)).sort((a, b) => a - b);
  const visits: RandomVisit[] = [];
  for (const startedAt of starts) {
    const before = visits.at(-1)?.row;
    if (before !== undefined && startedAt <= before.ended_at) continue;
    const visit = randomVisit(dice, visitor, startedAt);
    Object.assign(visit.row, {
      visit_number: forgotten + visits.length + 1,
      first_visit_at: forgotten > 0 ? firstAt : (visits[0]?.row.started_at ?? startedAt),
      previous_visit_at: before?.started_at ?? (forgotten > 0 ? firstAt + dice.int(0, DAY) : null),
    });
    visits.push(visit);
  }
  return visits;
}

/** Returns a start mostly near the base, often at a full hour, sometimes long before. */
function randomStart(dice: Dice, base: number): number {
  if (dice.chance(20)) return base - dice.pick([dice.int(1, 80), 125, 130]) * DAY + dice.int(0, DAY);
  const near = base + dice.int(-60, 60) * HOUR;
  return near + dice.pick([0, -1, 1, dice.int(0, HOUR)]);
}

function randomVisit(dice: Dice, visitor: RandomVisitor, startedAt: number): RandomVisit {
  const weight = dice.pick([1, 1, 1, 1, 10, 10, 0]);
  const row: VisitRow = {
    ...EMPTY_ROW,
    ...randomFacts(dice),
    site_id: visitor.siteId,
    visit_id: dice.uuid(),
    visitor_id: visitor.visitorId,
    visitor_bucket: visitor.bucket,
    started_at: startedAt,
    weight,
    user_id: dice.chance(30) && visitor.userId !== null ? dice.pick(pools.USERS) : null,
    source_last: randomSource(dice),
    source_last_significant: randomSource(dice),
    source_first: randomSource(dice),
  };
  const hits = randomHits(dice, row);
  const sums = sumsOf(startedAt, hits);
  const params = sums.pageviews === 0 && dice.chance(50) ? null : row.params;
  return { row: { ...row, ...sums, params }, hits };
}

/** Fields that have their own rules. All others are drawn, because a field that is always null proves no dimension. */
type SetElsewhere =
  | 'site_id'
  | 'visit_id'
  | 'visitor_id'
  | 'visitor_bucket'
  | 'user_id'
  | 'started_at'
  | 'weight'
  | 'goals'
  | 'visit_number'
  | 'first_visit_at'
  | 'previous_visit_at'
  | 'source_last'
  | 'source_last_significant'
  | 'source_first'
  | keyof ReturnType<typeof sumsOf>;

function randomFacts(dice: Dice): Omit<VisitRow, SetElsewhere> {
  const robot = dice.chance(15) ? dice.pick(['Frequency', 'bot']) : null;
  return {
    is_robot: robot !== null,
    robot_reason: robot,
    device_type: dice.pick(['desktop', 'mobile', 'tablet']),
    device_brand: dice.pick(['Apple', null]),
    device_model: dice.pick(['iPhone', null]),
    os: dice.pick(['iOS', 'Linux', null]),
    os_version: dice.pick(['17', '9', '10', null]),
    browser: dice.pick(['Firefox', 'Chrome', null]),
    browser_version: dice.pick(['140', '99', null]),
    browser_engine: dice.pick(['Gecko', null]),
    continent: dice.pick(['EU', 'AS', null]),
    country: dice.pick(['RU', 'DE', null]),
    region: dice.pick(['Tatarstan', null]),
    city: dice.pick(['Kazan', 'Berlin', null]),
    browser_language: dice.pick(['ru-RU', null]),
    screen_resolution: dice.pick(['1920x1080', null]),
    window_size: dice.pick(['800x600', null]),
    visitor_timezone: dice.pick(['Europe/Moscow', null]),
    params: dice.pick(pools.PARAMS),
  };
}

function randomSource(dice: Dice): TrafficSource {
  return Object.fromEntries(
    Object.entries(pools.SOURCE_VALUES).map(([field, values]) => [field, dice.pick(values)]),
  ) as unknown as TrafficSource;
}

function randomHits(dice: Dice, visit: VisitRow): HitRow[] {
  const hits: HitRow[] = [];
  let at = visit.started_at;
  for (let left = dice.pick([1, 1, 2, 3, 5, 8, 12, 25]); left > 0; left -= 1) {
    const type =
      hits.length === 0 && visit.weight > 0 && dice.chance(80)
        ? 'pageview'
        : dice.pick(visit.weight === 0 ? LISTED : TYPES);
    // A visit does not begin with a ping.
    const hit = randomHit(dice, visit, at, hits.length === 0 && type === 'ping' ? 'event' : type);
    hits.push(hit);
    // Hits under a page view follow it; page views may coincide.
    at += hit.type === 'pageview' && dice.chance(10) ? 0 : dice.pick([1, 900, 5_000, 14_999, 40_000, 600_000]);
    if (at === hit.at && left > 1) {
      hits.push(randomHit(dice, visit, at, 'pageview'));
      at += dice.int(1, 5_000);
    }
  }
  return hits;
}

function randomHit(dice: Dice, visit: VisitRow, at: number, type: CollectType): HitRow {
  const path = dice.pick(pools.PATHS);
  const [target, targetDomain] =
    type === 'outbound' || type === 'download' ? dice.pick(pools.TARGETS) : ([null, null] as const);
  const isLate = dice.chance(10);
  return {
    site_id: visit.site_id,
    hit_id: dice.uuid(),
    visit_id: visit.visit_id,
    visitor_id: visit.visitor_id,
    visitor_bucket: visit.visitor_bucket,
    at,
    visit_started_at: isLate ? Math.min(at, visit.started_at + dice.int(0, DAY)) : visit.started_at,
    type,
    weight: visit.weight === 0 ? 1 : dice.pick([visit.weight, visit.weight, visit.weight, 1]),
    page_url: `https://shop.example${path}${dice.pick(['', '?q=1'])}`,
    page_domain: dice.pick(pools.DOMAINS),
    page_path: path,
    page_title: dice.pick(pools.TITLES),
    referrer: null,
    name:
      type === 'event'
        ? dice.pick(pools.EVENT_NAMES)
        : type === 'form'
          ? dice.pick(pools.FORMS)
          : type === 'goal'
            ? 'lead'
            : null,
    params: dice.pick(pools.PARAMS),
    target,
    target_domain: targetDomain,
    depth: type === 'scroll' ? dice.pick([0, 25, 50.5, 100, null]) : null,
    x: null,
    y: null,
    selector: null,
  };
}

function sumsOf(startedAt: number, hits: readonly HitRow[]) {
  const pages = hits.filter(({ type }) => type === 'pageview');
  const counted = hits.filter(({ type }) => type !== 'ping');
  const sum = (rows: readonly HitRow[]): number => rows.reduce((total, { weight }) => total + weight, 0);
  // A visit orders page views of one millisecond by arrival; here that is the order of their ids.
  const inOrder = pages.toSorted((a, b) => a.at - b.at || (a.hit_id < b.hit_id ? -1 : 1));
  const [entry, exit] = [inOrder[0], inOrder.at(-1)];
  const endedAt = hits.at(-1)?.at ?? startedAt;
  return {
    ended_at: endedAt,
    duration_s: (endedAt - startedAt) / 1000,
    pageviews: pages.length,
    weighted_pageviews: sum(pages),
    hits: counted.length,
    weighted_hits: sum(counted),
    is_bounce: pages.length <= 1 && endedAt - startedAt < BOUNCE_MS,
    entry_url: entry?.page_url ?? null,
    entry_domain: entry?.page_domain ?? null,
    entry_path: entry?.page_path ?? null,
    exit_url: exit?.page_url ?? null,
    exit_path: exit?.page_path ?? null,
  };
}

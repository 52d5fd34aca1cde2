/** How a visit begins, and how each of its hits changes it. */
import { hash } from 'node:crypto';
import type { CollectedDevice, CollectedEvent } from '../collect/collected.ts';
import type { VisitRow } from '../reports/lakeRows.ts';
import type { TrafficSource } from '../sites/trafficSource.ts';
import type { Request, SiteRules } from './siteRulesAndRequest.ts';
import { EMPTY_ROW, NEW_VISIT_MEMO, type Visit, type Visitor } from './visitState.ts';
import { countPlainPage } from './robotFrequency.ts';
import { isBounce, isShortVisit } from './bounce.ts';
import { addParams } from './visitParams.ts';

/** Returns a visit without hits, which begins at the hit's time. The chain of visits adds its other values. */
export function beginVisit(visitor: Visitor, request: Request, event: CollectedEvent, source: TrafficSource): Visit {
  const row: VisitRow = {
    ...EMPTY_ROW,
    ...request.client(),
    ...request.place(),
    site_id: visitor.siteId,
    visit_id: visitIdOf(event),
    visitor_id: visitor.visitorId,
    visitor_bucket: visitor.bucket,
    started_at: event.at,
    ended_at: event.at,
    first_visit_at: event.at,
    visit_number: 0,
    source_last: source,
    source_last_significant: source,
    source_first: source,
  };
  return { row, memo: { ...NEW_VISIT_MEMO, params_at: [] }, isChanged: true };
}

/**
 * Returns a UUID of version 8, the same whenever the hit is ingested. It depends on the time too, because a tracker may
 * reuse the ids of its events.
 */
function visitIdOf({ key, at }: CollectedEvent): string {
  const hex = hash('sha256', `visit\n${key}\n${at}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Counts a hit of any type, including pings, into its visit. The order of arrival matters only among hits of the same
 * millisecond.
 * @param weight of the hit, which may differ from the visit's when the daily quota was reached during the visit
 */
export function addHit(visit: Visit, rules: SiteRules, request: Request, event: CollectedEvent, weight: number): void {
  const { row } = visit;
  visit.isChanged = true;
  row.started_at = Math.min(row.started_at, event.at);
  row.ended_at = Math.max(row.ended_at, event.at);
  row.duration_s = (row.ended_at - row.started_at) / 1000;
  if (event.type !== 'ping') {
    row.hits += 1;
    row.weighted_hits += weight;
  }
  if (event.type === 'pageview') {
    row.weighted_pageviews += weight;
    addPage(visit, rules, event);
  }
  if (event.type === 'user') addUser(visit, event);
  addDevice(row, request.device);
  countPlainPage(visit, request.device, event);
  row.is_bounce = isShortVisit(row);
}

/**
 * Returns the visit as reports see it (bounce.ts decides whether it is a bounce).
 * @param goals number of conversions of the visit, from the tag and the API; its hits do not show which of their
 *   conversions count
 */
export function visitRow({ row }: Visit, goals: number): VisitRow {
  return { ...row, goals, is_bounce: isBounce(row, goals) };
}

function addPage({ row, memo }: Visit, rules: SiteRules, event: CollectedEvent): void {
  const { domain, path } = rules.pageOf(event.url);
  row.pageviews += 1;
  if (memo.entry_at === null || event.at < memo.entry_at) {
    memo.entry_at = event.at;
    Object.assign(row, { entry_url: event.url, entry_domain: domain, entry_path: path });
  }
  if (memo.exit_at === null || event.at >= memo.exit_at) {
    memo.exit_at = event.at;
    Object.assign(row, { exit_url: event.url, exit_path: path });
  }
  if (event.params !== null) addParams(row, memo, event.params, event.at);
}

/** Stores the logged-in user: the last one whom the site named. */
function addUser({ row, memo }: Visit, event: CollectedEvent): void {
  const userId = event.user?.user_id;
  if (userId === undefined || (memo.user_at !== null && memo.user_at > event.at)) return;
  memo.user_at = event.at;
  row.user_id = userId;
}

/** Values from an earlier request stay; a window may be resized. */
function addDevice(row: VisitRow, device: CollectedDevice | null): void {
  if (device === null) return;
  row.browser_language ??= device.language;
  row.screen_resolution ??= device.screen;
  row.window_size ??= device.window;
  row.visitor_timezone ??= device.timezone;
}

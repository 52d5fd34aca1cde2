/** Loads from the database what a batch of inbox rows needs before it can be folded. */
import type pg from 'pg';
import { loadDays } from '../../db/visits/dailyHits.ts';
import type { InboxRow } from '../../db/visits/inbox.ts';
import { lockVisitors, restoreVisitors, type VisitorKey, type VisitorRecord } from '../../db/visits/visitors.ts';
import { loadVisits } from '../../db/visits/visits.ts';
import { visitorBucket } from '../../domain/reports/visitorSample.ts';
import { moscowDay } from '../../domain/sites/moscowDays.ts';
import type { DayCounts } from '../../domain/collect/hitsOverQuota.ts';
import { VISIT_PAUSE_MS } from '../../domain/visits/visitPause.ts';
import { unpackVisit, unpackVisitor, type History, type Visit } from '../../domain/visits/visitState.ts';

/** The part of a visitor's history that the batch may affect. */
export interface LoadedVisitor {
  history: History;
  /** Number of visits that were loaded. */
  visits: number;
}

export interface BatchState {
  /** Visitors by visitorKey, in the order of their locks. */
  visitors: Map<string, LoadedVisitor>;
  /** Counts of hits by day, for each site. */
  days: Map<string, DayCounts>;
  /** Number of events whose visitors were deleted after the intake had accepted them. */
  forgotten: number;
}

/** Locks the visitors of the rows and reads what the rows refer to. */
export async function loadForBatch(client: pg.ClientBase, rows: readonly InboxRow[]): Promise<BatchState> {
  const keys = [...Map.groupBy(rows, visitorKey).values()].map(keyAndTime).sort(byKey);
  const locked = await lockOrRestore(client, keys);
  const visits = groupVisits(await loadVisits(client, keys));
  const visitors = new Map(
    locked.map(({ state, ...visitor }): [string, LoadedVisitor] => {
      const key = visitorKey(visitor);
      const own = visits.get(key) ?? [];
      const history = {
        visitor: { ...visitor, bucket: visitorBucket(visitor.visitorId), memo: unpackVisitor(state) },
        visits: own,
      };
      return [key, { history, visits: own.length }];
    }),
  );
  const forgotten = rows.reduce((sum, row) => (visitors.has(visitorKey(row)) ? sum : sum + row.batch.events.length), 0);
  return { visitors, days: await loadDayCounts(client, rows), forgotten };
}

async function lockOrRestore(client: pg.ClientBase, keys: readonly VisitorKey[]): Promise<VisitorRecord[]> {
  const locked = await lockVisitors(client, keys);
  if (locked.length === keys.length) return locked;
  const known = new Set(locked.map(visitorKey));
  const missing = keys.filter((key) => !known.has(visitorKey(key)));
  return (await restoreVisitors(client, missing)) ? lockVisitors(client, keys) : locked;
}

export const visitorKey = ({ siteId, visitorId }: VisitorKey): string => `${siteId} ${visitorId}`;

/** Compares as PostgreSQL sorts: site ids and UUIDs are lower-case ASCII. */
function byKey(a: VisitorKey, b: VisitorKey): number {
  return compare(a.siteId, b.siteId) || compare(a.visitorId, b.visitorId);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function keyAndTime(rows: readonly InboxRow[]): VisitorKey & { since: number } {
  const [first] = rows;
  if (!first) throw new Error('a visitor without requests');
  let earliest = Number.POSITIVE_INFINITY;
  for (const { batch } of rows) for (const { at } of batch.events) earliest = Math.min(earliest, at);
  return {
    siteId: first.siteId,
    visitorId: first.visitorId,
    since: (Number.isFinite(earliest) ? earliest : first.receivedAt) - VISIT_PAUSE_MS,
  };
}

function groupVisits(loaded: Awaited<ReturnType<typeof loadVisits>>): Map<string, Visit[]> {
  const groups = new Map<string, Visit[]>();
  for (const stored of loaded) {
    const key = visitorKey(stored);
    const visit = unpackVisit(stored);
    const known = groups.get(key);
    if (known) known.push(visit);
    else groups.set(key, [visit]);
  }
  for (const visits of groups.values())
    visits.sort((a, b) => a.row.started_at - b.row.started_at || a.row.visit_number - b.row.visit_number);
  return groups;
}

async function loadDayCounts(client: pg.ClientBase, rows: readonly InboxRow[]): Promise<Map<string, DayCounts>> {
  const wanted = new Map<string, DayCounts>();
  for (const { siteId, batch } of rows) {
    const days = wanted.get(siteId) ?? new Map<number, number>();
    wanted.set(siteId, days);
    for (const { at } of batch.events) days.set(moscowDay(at), 0);
  }
  const keys = [...wanted].flatMap(([siteId, days]) => [...days.keys()].map((day) => ({ siteId, day })));
  for (const { siteId, day, hits } of await loadDays(client, keys)) wanted.get(siteId)?.set(day, hits);
  return wanted;
}

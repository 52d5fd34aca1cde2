/** Ingests one batch of the inbox in one transaction: folds its rows into visits and stages rows for the lake. */
import type pg from 'pg';
import { nextBatchId, stageRows } from '../../db/lake/batches.ts';
import type { ParamKey } from '../../db/sites/paramKeys.ts';
import { addToDays, type SiteDay } from '../../db/visits/dailyHits.ts';
import { takeInbox, type InboxRow } from '../../db/visits/inbox.ts';
import { saveVisitors } from '../../db/visits/visitors.ts';
import { saveVisits } from '../../db/visits/visits.ts';
import { chainVisits } from '../../domain/visits/attribution.ts';
import { emptyOutcome, addRequestToVisits, type Outcome } from '../../domain/visits/addRequestToVisits.ts';
import type { DayCounts } from '../../domain/collect/hitsOverQuota.ts';
import type { Request, SiteRules } from '../../domain/visits/siteRulesAndRequest.ts';
import { packVisit, packVisitor } from '../../domain/visits/visitState.ts';
import type { Enricher } from './enrich/index.ts';
import { writeFacts } from './writeFacts.ts';
import { loadForBatch, visitorKey, type BatchState } from './loadForBatch.ts';
import { paramKeysOf } from './paramKeys.ts';
import type { SiteRulesCache } from './siteRulesCache.ts';

export interface BatchDeps {
  sites: SiteRulesCache;
  enricher: Enricher;
  /** Hook for crash tests, called with each point that the work reaches. */
  onFaultPoint?: (point: FaultPoint) => void | Promise<void>;
  /** Override for tests; the default is {@link BATCH_BUDGET_MS}. */
  batchBudgetMs?: number;
}

/** Points at which a test may kill the process. */
export const FAULT_POINTS = [
  'taken',
  'added',
  'visits written',
  'facts written',
  'staged',
  'settling',
  'settled',
  'before commit',
  'after commit',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

export interface IngestedBatch {
  requests: number;
  events: number;
  /** Hits staged for the lake. */
  hits: number;
  dropped: Outcome['dropped'] & { forgotten: number };
  /** Keys to record after the commit. */
  paramKeys: ParamKey[];
}

/**
 * Error for a batch that exceeds its processor time. While it is folded, its session is idle and no other shard is
 * ingested.
 */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** A normal batch takes a second at most. PostgreSQL ends a session after 30 s idle in a transaction (db/pool.ts). */
const BATCH_BUDGET_MS = 10_000;

/** Error for a batch that names a site that does not exist, so its rows belong to nobody. */
export class UnknownSite extends Error {
  override readonly name = 'UnknownSite';
}

/**
 * Takes at most `limit` requests of a shard and writes everything that follows from them. Nothing is kept unless the
 * caller commits.
 * @returns null when there were no requests
 */
export async function ingestBatch(
  client: pg.PoolClient,
  deps: BatchDeps,
  shard: number,
  limit: number,
): Promise<IngestedBatch | null> {
  const rows = await takeInbox(client, shard, limit);
  if (rows.length === 0) return null;
  await deps.onFaultPoint?.('taken');
  const rules = await deps.sites.rulesOf([...new Set(rows.map(({ siteId }) => siteId))]);
  const gathered = await loadForBatch(client, rows);
  const before = new Map([...gathered.days].map(([siteId, days]) => [siteId, new Map(days)]));
  const outcome = addAll(rows, gathered, rules, deps);
  await deps.onFaultPoint?.('added');
  await writeAll(client, deps, shard, gathered, outcome);
  await addToDays(client, addedHits(before, gathered.days));
  return {
    requests: rows.length,
    events: rows.reduce((sum, { batch }) => sum + batch.events.length, 0),
    hits: outcome.hits.length,
    dropped: { ...outcome.dropped, forgotten: gathered.forgotten },
    paramKeys: paramKeysOf(outcome),
  };
}

function addAll(
  rows: readonly InboxRow[],
  { visitors, days }: BatchState,
  rules: ReadonlyMap<string, SiteRules>,
  { enricher, batchBudgetMs = BATCH_BUDGET_MS }: BatchDeps,
): Outcome {
  const outcome = emptyOutcome();
  const before = process.threadCpuUsage();
  for (const row of rows) {
    const known = visitors.get(visitorKey(row));
    const site = rules.get(row.siteId);
    if (!site) throw new UnknownSite(`no site ${row.siteId}`);
    if (known)
      addRequestToVisits(
        site,
        known.history,
        requestOf(row, site, enricher),
        days.get(row.siteId) ?? new Map<number, number>(),
        outcome,
      );
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1000 > batchBudgetMs) throw new OverBudget('a batch takes too long');
  }
  for (const { history, visits } of visitors.values()) chainVisits(history, visits);
  return outcome;
}

function requestOf({ batch, ip, userAgent, receivedAt }: InboxRow, rules: SiteRules, enricher: Enricher): Request {
  return {
    device: batch.device,
    events: batch.events,
    receivedAt,
    robotReason: enricher.robotOf(userAgent, ip, rules.robots),
    client: () => enricher.client(userAgent),
    place: () => enricher.place(ip),
  };
}

async function writeAll(
  client: pg.PoolClient,
  deps: BatchDeps,
  shard: number,
  { visitors }: BatchState,
  outcome: Outcome,
): Promise<void> {
  await saveVisitors(
    client,
    [...visitors.values()].map(({ history: { visitor } }) => ({ ...visitor, state: packVisitor(visitor.memo) })),
  );
  const changed = [...visitors.values()].flatMap(({ history }) => history.visits.filter(({ isChanged }) => isChanged));
  await saveVisits(
    client,
    changed.map((visit) => ({ row: visit.row, shard, state: packVisit(visit) })),
  );
  await deps.onFaultPoint?.('visits written');
  await writeFacts(client, outcome);
  await deps.onFaultPoint?.('facts written');
  if (outcome.hits.length > 0) await stageRows(client, shard, await nextBatchId(client), { hits: outcome.hits });
  await deps.onFaultPoint?.('staged');
}

function addedHits(before: ReadonlyMap<string, DayCounts>, after: ReadonlyMap<string, DayCounts>): SiteDay[] {
  const added: SiteDay[] = [];
  for (const [siteId, days] of after) {
    for (const [day, hits] of days) added.push({ siteId, day, hits: hits - (before.get(siteId)?.get(day) ?? 0) });
  }
  return added
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => (a.siteId < b.siteId ? -1 : Number(a.siteId > b.siteId)) || a.day - b.day);
}

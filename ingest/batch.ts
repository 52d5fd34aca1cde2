/** One batch of the inbox, from its rows to visits and staged rows, within one transaction. */
import type pg from 'pg';
import { nextBatchId, stageRows } from '../db/lakeBatches.ts';
import { addToDays, type SiteDay } from '../db/visits/days.ts';
import { takeInbox, type InboxRow } from '../db/visits/inbox.ts';
import { saveVisitors } from '../db/visits/visitors.ts';
import { saveVisits } from '../db/visits/visits.ts';
import { chainVisits } from '../domain/visits/attribution.ts';
import { emptyOutcome, foldRequest, type Outcome } from '../domain/visits/fold.ts';
import type { DayCounts } from '../domain/visits/quota.ts';
import type { Request, VisitRules } from '../domain/visits/site.ts';
import { packVisit, packVisitor } from '../domain/visits/state.ts';
import type { Enricher } from './enrich/index.ts';
import { writeFacts } from './facts.ts';
import { gather, visitorKey, type Gathered } from './gather.ts';
import type { SiteBook } from './siteBook.ts';

export interface BatchDeps {
  sites: SiteBook;
  enricher: Enricher;
  /** For tests of crashes: told where the work is. */
  passing?: (point: FaultPoint) => void | Promise<void>;
  /** For tests; by default {@link BATCH_BUDGET_MS}. */
  batchBudgetMs?: number;
}

/** Where a test may end the process. */
export const FAULT_POINTS = [
  'taken',
  'folded',
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
}

/** A batch takes more of the processor than one may, in which its session says nothing and nobody else's is ingested. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** A batch takes a second at most; PostgreSQL ends a session that has been idle in a transaction for thirty (db/pool.ts). */
const BATCH_BUDGET_MS = 10_000;

/** A batch names a site that there is not: its rows are nobody's. */
export class UnknownSite extends Error {
  override readonly name = 'UnknownSite';
}

/**
 * Takes at most `limit` of a shard's requests and writes everything that they lead to. Nothing of it stays
 * unless the caller commits.
 * @returns null when there were none
 */
export async function ingestBatch(
  client: pg.PoolClient,
  deps: BatchDeps,
  shard: number,
  limit: number,
): Promise<IngestedBatch | null> {
  const rows = await takeInbox(client, shard, limit);
  if (rows.length === 0) return null;
  await deps.passing?.('taken');
  const rules = await deps.sites.rulesOf([...new Set(rows.map(({ siteId }) => siteId))]);
  const gathered = await gather(client, rows);
  const before = new Map([...gathered.days].map(([siteId, days]) => [siteId, new Map(days)]));
  const outcome = foldAll(rows, gathered, rules, deps);
  await deps.passing?.('folded');
  await writeAll(client, deps, shard, gathered, outcome);
  await addToDays(client, addedHits(before, gathered.days));
  return {
    requests: rows.length,
    events: rows.reduce((sum, { batch }) => sum + batch.events.length, 0),
    hits: outcome.hits.length,
    dropped: { ...outcome.dropped, forgotten: gathered.forgotten },
  };
}

function foldAll(
  rows: readonly InboxRow[],
  { visitors, days }: Gathered,
  rules: ReadonlyMap<string, VisitRules>,
  { enricher, batchBudgetMs = BATCH_BUDGET_MS }: BatchDeps,
): Outcome {
  const outcome = emptyOutcome();
  const before = process.threadCpuUsage();
  for (const row of rows) {
    const known = visitors.get(visitorKey(row));
    const site = rules.get(row.siteId);
    if (!site) throw new UnknownSite(`no site ${row.siteId}`);
    if (known)
      foldRequest(
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

function requestOf({ batch, ip, userAgent, receivedAt }: InboxRow, rules: VisitRules, enricher: Enricher): Request {
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
  { visitors }: Gathered,
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
  await deps.passing?.('visits written');
  await writeFacts(client, outcome);
  await deps.passing?.('facts written');
  if (outcome.hits.length > 0) await stageRows(client, shard, await nextBatchId(client), { hits: outcome.hits });
  await deps.passing?.('staged');
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

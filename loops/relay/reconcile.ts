/**
 * The reconciler: finds work that should be running but is not (Temporal lost its data, or a row was lost to an
 * unforeseen fault) and puts it back into the outbox.
 */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { runExclusively } from '../../db/advisoryLock.ts';
import { listOverdueRetries, type OverdueRetry } from '../../db/webhooks/deliveries/retries.ts';
import { listOpenJobs, type OpenJob } from '../../db/jobs/jobs.ts';
import { countDue, enqueue, type OutboxEntry } from '../../db/jobs/outbox.ts';
import { listOpenExports } from '../../db/reports/exports.ts';
import { listUnfinishedItems, type UnfinishedItem } from '../../db/jobs/unfinishedItems.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { RelayMetrics } from './metrics.ts';
import { isRunning } from './startWorkflow.ts';
import { isUnanswered } from './temporalFaults.ts';
import type { TemporalHealth } from './temporalHealth.ts';

export interface ReconcilerDeps {
  pool: pg.Pool;
  client: Client;
  metrics?: RelayMetrics;
  logger: Logger;
  /** A monotonic clock in milliseconds; performance.now by default. */
  now?: () => number;
}

/** Number of concurrent queries to Temporal; a page is one such round. */
const PAGE = 50;
const ANSWER_MS = 10_000;
/** Maximum number of rows of one source per pass: the next pass continues where this one ended. */
const MAX_ROWS = 2_000;
/** Pause after a pass that found lost work and ended before all of it. With the usual pause, a million items take 16 h. */
const BEHIND_MS = 5_000;
/** Time for which an item has not changed, or its next try has been due, before its work counts as lost. */
const ITEM_GRACE_MS = 60_000;
/** Grace period of a retry, so that its worker has a chance first. */
const RETRY_GRACE_MS = 60_000;
const JOB_GRACE_MS = 60_000;
const EXPORT_GRACE_MS = 60_000;
/** Interval of checking items that wait for the time of their next try. */
const FULL_ROUND_MS = 3_600_000;

/** An iteration over one kind of unfinished work, continued from pass to pass. */
interface Round<Row> {
  /** Lists rows in a stable order. */
  list(after: Row | null): Promise<Row[]>;
  workOf(row: Row): OutboxEntry;
  after: Row | null;
}

export interface ReconcilingDeps extends ReconcilerDeps {
  health: TemporalHealth;
  /** Usual pause between two passes. */
  intervalMs: number;
  /** {@link BEHIND_MS} unless a test shortens it. */
  behindMs?: number;
}

/** Makes passes while Temporal answers: at intervals, and soon again if much work was lost. */
export function startReconciling(deps: ReconcilingDeps, isStopping: () => boolean): RunningProcess {
  const { health, intervalMs, behindMs = BEHIND_MS, logger } = deps;
  const reconciler = new Reconciler(deps);
  const pauseMs = (): number => (reconciler.isBehind ? Math.min(behindMs, intervalMs) : intervalMs);
  return repeat(pauseMs, logger, 'reconciliation', async () => {
    if (health.reachable) await reconciler.pass(isStopping);
  });
}

export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #now: () => number;
  readonly #dueItems: Round<UnfinishedItem>;
  readonly #allItems: Round<UnfinishedItem>;
  readonly #retries: Round<OverdueRetry>;
  readonly #jobs: Round<OpenJob>;
  readonly #exports: Round<string>;
  #fullRoundEnded = -Infinity;
  #isBehind = false;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
    this.#dueItems = itemsRound(deps.pool, false);
    this.#allItems = itemsRound(deps.pool, true);
    this.#retries = {
      list: (after) => listOverdueRetries(deps.pool, { graceMs: RETRY_GRACE_MS, after, limit: PAGE }),
      workOf: ({ projectId, deliveryId, requestId }) => ({
        kind: 'delivery',
        projectId,
        entityId: deliveryId,
        requestId,
        priority: PRIORITY.bulk,
      }),
      after: null,
    };
    this.#jobs = {
      list: (after) => listOpenJobs(deps.pool, { graceMs: JOB_GRACE_MS, after, limit: PAGE }),
      workOf: ({ createdAt: _createdAt, ...job }) => job,
      after: null,
    };
    this.#exports = {
      list: (after) => listOpenExports(deps.pool, { graceMs: EXPORT_GRACE_MS, after, limit: PAGE }),
      workOf: (siteId) => ({
        kind: 'exports',
        projectId: siteId,
        entityId: siteId,
        priority: PRIORITY.job,
        requestId: null,
      }),
      after: null,
    };
  }

  /** Returns true if the last pass found lost work and ended before all of it. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /**
   * Makes one pass over unfinished work. Safe to run in several relays: only one of them makes the pass.
   * @param stopped ends the pass after the current page
   * @returns the number of rows put back; also 0 when another process holds the lock
   */
  async pass(stopped: () => boolean = () => false): Promise<number> {
    let found = 0;
    this.#isBehind = false;
    await runExclusively(this.#deps.pool, 'reconciler', async () => {
      found += (await this.#advance(this.#dueItems, stopped)).found;
      found += (await this.#advance(this.#retries, stopped)).found;
      found += (await this.#advance(this.#jobs, stopped)).found;
      found += (await this.#advance(this.#exports, stopped)).found;
      found += await this.#advanceFullRound(stopped);
    });
    if (found > 0) this.#deps.logger.warn({ found }, 'found lost work and put it back into the outbox');
    return found;
  }

  async #advanceFullRound(stopped: () => boolean): Promise<number> {
    if (this.#allItems.after === null && this.#now() - this.#fullRoundEnded < FULL_ROUND_MS) return 0;
    const { found, ended } = await this.#advance(this.#allItems, stopped);
    if (ended) this.#fullRoundEnded = this.#now();
    return found;
  }

  /**
   * Continues a round until it ends, the pass has seen enough rows, or Temporal does not answer. Lost work is put back
   * only as fast as the outbox empties: a row that waits there for long would look as if nothing reached Temporal. A
   * page is put back in any case, because rows that Temporal refuses stay in the outbox.
   */
  async #advance<Row>(round: Round<Row>, stopped: () => boolean): Promise<{ found: number; ended: boolean }> {
    const room = Math.max(PAGE, MAX_ROWS - (await countDue(this.#deps.pool, MAX_ROWS)));
    let found = 0;
    for (let seen = 0; seen < MAX_ROWS && found < room && !stopped(); seen += PAGE) {
      const page = await round.list(round.after);
      const answer = await this.#enqueueMissing(page.map((row) => round.workOf(row)));
      found += answer.found;
      if (answer.silent) return { found, ended: false };
      const ended = page.length < PAGE;
      round.after = ended ? null : (page.at(-1) ?? null);
      if (ended) return { found, ended };
    }
    this.#isBehind ||= found > 0;
    return { found, ended: false };
  }

  /** Puts missing work back into the outbox. Work whose state Temporal did not return is left for the next round. */
  async #enqueueMissing(page: readonly OutboxEntry[]): Promise<{ found: number; silent: boolean }> {
    const { client, pool, metrics, logger } = this.#deps;
    const answers = await client.connection.withDeadline(Date.now() + ANSWER_MS, () =>
      Promise.allSettled(page.map((work) => isRunning(client, work))),
    );
    const missing = page.filter((_, index) => {
      const answer = answers[index];
      return answer?.status === 'fulfilled' && !answer.value;
    });
    await enqueue(pool, missing);
    for (const { kind } of missing) metrics?.found.inc({ kind });
    const failures = answers.filter((answer) => answer.status === 'rejected');
    if (failures[0])
      logger.warn({ rows: failures.length, err: failures[0].reason }, 'Temporal did not say whether work is running');
    return {
      found: missing.length,
      silent:
        page.length > 0 && failures.length === page.length && failures.every(({ reason }) => isUnanswered(reason)),
    };
  }
}

function itemsRound(pool: pg.Pool, withDeferred: boolean): Round<UnfinishedItem> {
  return {
    list: (after) => listUnfinishedItems(pool, { graceMs: ITEM_GRACE_MS, after, limit: PAGE, withDeferred }),
    workOf: ({ projectId, itemId, requestId }) => ({
      kind: 'item',
      projectId,
      entityId: itemId,
      requestId,
      priority: PRIORITY.bulk,
    }),
    after: null,
  };
}

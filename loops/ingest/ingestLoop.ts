/**
 * One loop of the ingest: a PostgreSQL session that holds the locks of some shards and runs their transactions. A loop
 * can lose the locks only by losing the session, and then it cannot commit any more.
 */
import type pg from 'pg';
import { isDatabaseUnavailable, isStatementTimeout } from '../../db/errors.ts';
import { setUnsettledAside, type UnsettledKind } from '../../db/lake/rowsSetAside.ts';
import { setOldestRowAside, shardsWithWork } from '../../db/visits/inbox.ts';
import { shardsToSettle } from '../../db/visits/waitingForLake.ts';
import { announce, balanceShards } from '../../db/visits/shards.ts';
import { describeError, type Logger } from '../../platform/process/logger.ts';
import { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';
import { ingestBatch, type BatchDeps, type IngestedBatch } from './ingestBatch.ts';
import type { IngestMetrics } from './metrics.ts';
import { BatchSize, AdaptiveLimit } from './batchSize.ts';
import { ParamKeyRecorder } from './paramKeys.ts';
import { SETTLED_KINDS, settleShard, type SettledKind } from './stageFinished.ts';
import { inSession } from './lockSession.ts';

const POLL_MS = 300;
const BALANCE_MS = 1_000;
const SETTLE_MS = 1_000;
const RECONNECT_MS = 1_000;
/** Maximum number of rows of each kind in one transaction. */
const MAX_SETTLED = 2_000;
/** Logged in place of an error's name. */
const SESSION_LOST = 'session lost';

export interface IngestLoopDeps extends BatchDeps {
  pool: pg.Pool;
  logger: Logger;
  metrics: IngestMetrics;
  /** Called after rows were staged for the lake. */
  onStaged(rows: number): void;
}

export class IngestLoop {
  readonly #deps: IngestLoopDeps;
  readonly #pause = new WakeUp();
  readonly #paramKeys = new ParamKeyRecorder();
  readonly #sizes = new Map<number, BatchSize>();
  readonly #settleLimits = new Map<string, AdaptiveLimit>();
  #shards: readonly number[] = [];
  #balancedAt = Number.NEGATIVE_INFINITY;
  #settledAt = Number.NEGATIVE_INFINITY;
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: IngestLoopDeps) {
    this.#deps = deps;
  }

  /** The shards that this loop holds now. */
  get shards(): readonly number[] {
    return this.#shards;
  }

  start(): void {
    this.#running = this.#runUntilStopped();
  }

  /** Finishes the current transaction and releases the shards. */
  async close(): Promise<void> {
    this.#stopping = true;
    this.#pause.ring();
    await this.#running;
  }

  async #runUntilStopped(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#runSession();
      } catch (error) {
        this.#deps.metrics.failures.inc({ what: 'session' });
        this.#deps.logger.warn({ err: error }, 'a session of the ingest ended; starting a new one');
        if (!this.#stopping) await this.#pause.sleep(RECONNECT_MS);
      }
    }
  }

  /** @throws when the session cannot continue; its locks are released with it */
  async #runSession(): Promise<void> {
    const client = await this.#deps.pool.connect();
    try {
      await announce(client);
      this.#balancedAt = Number.NEGATIVE_INFINITY;
      while (!this.#stopping) {
        const worked = await this.#turn(client);
        if (!worked && !this.#stopping) await this.#pause.sleep(POLL_MS);
      }
    } finally {
      this.#shards = [];
      // Closing the session releases its locks, whatever state it is in.
      client.release(true);
    }
  }

  /** Returns true when there may be more to do immediately. */
  async #turn(client: pg.PoolClient): Promise<boolean> {
    if (performance.now() - this.#balancedAt >= BALANCE_MS) {
      this.#shards = await balanceShards(client, this.#shards);
      this.#balancedAt = performance.now();
    }
    const ready = await shardsWithWork(client, this.#shards);
    for (const shard of ready) await this.#ingest(client, shard);
    const isSettled = await this.#settle(client);
    return ready.length > 0 || !isSettled;
  }

  async #ingest(client: pg.PoolClient, shard: number): Promise<void> {
    const { metrics, onFaultPoint } = this.#deps;
    const size = this.#sizeOf(shard);
    if (size.isLoneLoss) {
      await this.#setAside(client, shard, SESSION_LOST);
      size.succeeded(1, 1);
    }
    const end = metrics.transaction.startTimer();
    try {
      const done = await inSession(client, onFaultPoint, () => ingestBatch(client, this.#deps, shard, size.limit));
      if (done === null) return;
      end();
      size.succeeded(done.requests, done.events);
      this.#report(done);
      await this.#recordParamKeys(client, done);
    } catch (error) {
      await this.#afterFault(client, shard, size, error);
    }
  }

  #report({ hits, dropped }: IngestedBatch): void {
    const { metrics, onStaged } = this.#deps;
    metrics.events.inc({ outcome: 'kept' }, hits);
    for (const [outcome, count] of Object.entries(dropped)) metrics.events.inc({ outcome }, count);
    if (hits > 0) onStaged(hits);
  }

  /** Records the keys. An error here does not affect the batch, which is already committed. */
  async #recordParamKeys(client: pg.PoolClient, { paramKeys }: IngestedBatch): Promise<void> {
    try {
      await this.#paramKeys.record(client, paramKeys);
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'could not store the keys of params; the next batch tries again');
    }
  }

  /**
   * Handles an error of a batch. An unavailable database is retried, unless the same single request keeps losing the
   * session. Any other error, or a statement timeout that keeps recurring, is blamed on one request: ever smaller
   * batches isolate it, and it is set aside.
   */
  async #afterFault(client: pg.PoolClient, shard: number, size: BatchSize, error: unknown): Promise<void> {
    const isTimeout = isStatementTimeout(error);
    this.#deps.metrics.failures.inc({ what: 'batch' });
    if (!isTimeout && isDatabaseUnavailable(error)) {
      size.lostSession();
      throw error;
    }
    if (size.failed(isTimeout) === 'alone') await this.#setAside(client, shard, kindOf(error));
  }

  async #setAside(client: pg.PoolClient, shard: number, fault: string): Promise<void> {
    const { metrics, logger } = this.#deps;
    const id = await setOldestRowAside(client, shard, fault);
    metrics.setAside.inc();
    logger.error(
      { fault, shard, inboxId: id },
      'a request of the tag cannot be ingested: it was moved to collect_failed',
    );
  }

  /** Returns false when more can be settled immediately. */
  async #settle(client: pg.PoolClient): Promise<boolean> {
    if (performance.now() - this.#settledAt < SETTLE_MS) return true;
    let isDone = true;
    for (const shard of await shardsToSettle(client, this.#shards)) {
      for (const kind of SETTLED_KINDS) {
        if (await this.#settleOne(client, shard, kind)) isDone = false;
      }
    }
    if (isDone) this.#settledAt = performance.now();
    return isDone;
  }

  /** Returns true when more of this kind can be settled immediately. */
  async #settleOne(client: pg.PoolClient, shard: number, kind: SettledKind): Promise<boolean> {
    const { onFaultPoint, onStaged } = this.#deps;
    const limit = this.#settleLimitOf(shard, kind);
    if (limit.isLoneLoss && kind !== 'pending') {
      await this.#setUnsettledAside(client, shard, kind, SESSION_LOST);
      limit.succeeded(1);
    }
    const most = limit.limit;
    try {
      const { done, staged } = await inSession(client, onFaultPoint, () =>
        settleShard(client, this.#deps, shard, kind, most),
      );
      if (staged > 0) onStaged(staged);
      limit.succeeded();
      return done >= most;
    } catch (error) {
      return this.#afterSettleFault(client, shard, kind, limit, error);
    }
  }

  /**
   * Handles errors as {@link #afterFault} does. Facts that cannot be attributed do not block others, and are retried.
   */
  async #afterSettleFault(
    client: pg.PoolClient,
    shard: number,
    kind: SettledKind,
    limit: AdaptiveLimit,
    error: unknown,
  ): Promise<boolean> {
    const { metrics, logger } = this.#deps;
    const isTimeout = isStatementTimeout(error);
    metrics.failures.inc({ what: 'settle' });
    if (!isTimeout && isDatabaseUnavailable(error)) {
      limit.lostSession();
      throw error;
    }
    if (limit.failed(isTimeout) !== 'alone') return true;
    if (kind === 'pending') {
      const fault = { fault: kindOf(error), shard, kind };
      logger.error(fault, 'could not attribute the conversions and orders of a shard to visits; trying again');
      return false;
    }
    await this.#setUnsettledAside(client, shard, kind, kindOf(error));
    return true;
  }

  async #setUnsettledAside(client: pg.PoolClient, shard: number, kind: UnsettledKind, fault: string): Promise<void> {
    const { metrics, logger } = this.#deps;
    await setUnsettledAside(client, shard, kind);
    metrics.setAside.inc();
    logger.error(
      { fault, shard, kind },
      'a visit, conversion or order cannot be written to the lake: its lake_batch is now -1',
    );
  }

  #settleLimitOf(shard: number, kind: SettledKind): AdaptiveLimit {
    const key = `${shard} ${kind}`;
    const known = this.#settleLimits.get(key) ?? new AdaptiveLimit(MAX_SETTLED);
    this.#settleLimits.set(key, known);
    return known;
  }

  #sizeOf(shard: number): BatchSize {
    const known = this.#sizes.get(shard) ?? new BatchSize();
    this.#sizes.set(shard, known);
    return known;
  }
}

/** Returns name and code only, because messages may quote what a visitor wrote. */
function kindOf(error: unknown): string {
  const { type, code } = describeError(error);
  return code === undefined ? type : `${type} ${code}`;
}

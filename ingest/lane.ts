/**
 * One loop of the ingest: a session of PostgreSQL that has the locks of some shards and in which their
 * transactions run. Whoever loses the locks has lost the session, and cannot commit any more.
 */
import type pg from 'pg';
import { isDatabaseUnavailable } from '../db/errors.ts';
import { setInboxAside, shardsWithWork } from '../db/visits/inbox.ts';
import { shardsToSettle } from '../db/visits/due.ts';
import { announce, balanceShards } from '../db/visits/shards.ts';
import { describeError, type Logger } from '../process/logger.ts';
import { WakeUp } from '../process/wakeUp.ts';
import { ingestBatch, type BatchDeps, type IngestedBatch } from './batch.ts';
import type { IngestMetrics } from './metrics.ts';
import { Pace } from './pace.ts';
import { settleShard } from './settle.ts';
import { inSession } from './session.ts';

const POLL_MS = 300;
const BALANCE_MS = 1_000;
const SETTLE_MS = 1_000;
const RECONNECT_MS = 1_000;

export interface LaneDeps extends BatchDeps {
  pool: pg.Pool;
  logger: Logger;
  metrics: IngestMetrics;
  /** Rows were staged for the lake. */
  onStaged(rows: number): void;
}

export class Lane {
  readonly #deps: LaneDeps;
  readonly #pause = new WakeUp();
  readonly #paces = new Map<number, Pace>();
  #shards: readonly number[] = [];
  #balancedAt = Number.NEGATIVE_INFINITY;
  #settledAt = Number.NEGATIVE_INFINITY;
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  /** Those it works on at this moment. */
  get shards(): readonly number[] {
    return this.#shards;
  }

  start(): void {
    this.#running = this.#runUntilStopped();
  }

  /** Finishes the transaction in hand and gives the shards back. */
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
        this.#deps.logger.warn({ err: error }, 'a session of the ingest ended; it begins anew');
        if (!this.#stopping) await this.#pause.sleep(RECONNECT_MS);
      }
    }
  }

  /** @throws when the session cannot go on; its locks go with it */
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
      // Closing the session frees its locks, whatever state it is in.
      client.release(true);
    }
  }

  /** True when there may be more to do at once. */
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
    const { metrics, passing } = this.#deps;
    const pace = this.#paceOf(shard);
    const end = metrics.transaction.startTimer();
    try {
      const done = await inSession(client, passing, () => ingestBatch(client, this.#deps, shard, pace.limit));
      if (done === null) return;
      end();
      pace.succeeded(done.requests, done.events);
      this.#report(done);
    } catch (error) {
      await this.#afterFault(client, shard, pace, error);
    }
  }

  #report({ hits, dropped }: IngestedBatch): void {
    const { metrics, onStaged } = this.#deps;
    metrics.events.inc({ outcome: 'kept' }, hits);
    for (const [outcome, count] of Object.entries(dropped)) metrics.events.inc({ outcome }, count);
    if (hits > 0) onStaged(hits);
  }

  /** A fault of the database passes. Any other is one request's: looked for in ever smaller batches, and set aside. */
  async #afterFault(client: pg.PoolClient, shard: number, pace: Pace, error: unknown): Promise<void> {
    const { metrics, logger } = this.#deps;
    const isAlone = !pace.failed();
    metrics.failures.inc({ what: 'batch' });
    if (isDatabaseUnavailable(error)) throw error;
    if (!isAlone) return;
    const id = await setInboxAside(client, shard, kindOf(error));
    metrics.setAside.inc();
    logger.error({ err: error, shard, inboxId: id }, 'a request of the tag cannot be ingested: it lies in collect_failed');
  }

  /** False when something is left to be settled at once. */
  async #settle(client: pg.PoolClient): Promise<boolean> {
    if (performance.now() - this.#settledAt < SETTLE_MS) return true;
    let isDone = true;
    for (const shard of await shardsToSettle(client, this.#shards)) {
      if (await this.#settleOne(client, shard)) isDone = false;
    }
    if (isDone) this.#settledAt = performance.now();
    return isDone;
  }

  async #settleOne(client: pg.PoolClient, shard: number): Promise<boolean> {
    const { metrics, logger, passing, onStaged } = this.#deps;
    try {
      const { staged, more } = await inSession(client, passing, () => settleShard(client, this.#deps, shard));
      if (staged > 0) onStaged(staged);
      return more;
    } catch (error) {
      metrics.failures.inc({ what: 'settle' });
      if (isDatabaseUnavailable(error)) throw error;
      logger.error({ err: error, shard }, 'visits and facts of a shard could not be settled');
      return false;
    }
  }

  #paceOf(shard: number): Pace {
    const known = this.#paces.get(shard) ?? new Pace();
    this.#paces.set(shard, known);
    return known;
  }
}

/** Name and code: messages may quote what a visitor wrote. */
function kindOf(error: unknown): string {
  const { type, code } = describeError(error);
  return code === undefined ? type : `${type} ${code}`;
}

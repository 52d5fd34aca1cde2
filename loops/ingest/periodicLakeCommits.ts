/** Commits staged rows to the lake periodically, while the ingest goes on. */
import type pg from 'pg';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';
import { commitStaged } from '../../reports/lake/commit/commitStaged.ts';
import type { Lake } from '../../reports/lake/index.ts';
import type { IngestMetrics } from './metrics.ts';

/** With this many staged rows, the commit does not wait for the interval. */
const MANY_ROWS = 50_000;
const RETRY_MS = 5_000;

export interface PeriodicLakeCommitsDeps {
  pool: pg.Pool;
  logger: Logger;
  metrics: IngestMetrics;
  everyMs: number;
  openLake(): Promise<Lake>;
  /** Returns the shards whose batches this process has to commit. */
  shards(): readonly number[];
}

export class PeriodicLakeCommits implements RunningProcess {
  readonly #deps: PeriodicLakeCommitsDeps;
  readonly #pause = new WakeUp();
  #lake: Lake | null = null;
  #staged = 0;
  #stopping = false;
  readonly #running: Promise<void>;

  constructor(deps: PeriodicLakeCommitsDeps) {
    this.#deps = deps;
    this.#running = this.#commitUntilStopped();
  }

  staged(rows: number): void {
    this.#staged += rows;
    if (this.#staged >= MANY_ROWS) this.#pause.ring();
  }

  /** Finishes the current commit; remaining staged rows wait for the next process. */
  async close(): Promise<void> {
    this.#stopping = true;
    this.#pause.ring();
    await this.#running;
    await this.#lake?.close();
  }

  async #commitUntilStopped(): Promise<void> {
    while (!this.#stopping) {
      const isFine = await this.#commit();
      if (!this.#stopping) await this.#pause.sleep(isFine ? this.#deps.everyMs : RETRY_MS);
    }
  }

  /** Commits staged rows. Nothing is lost when the lake is unavailable: the rows stay staged. */
  async #commit(): Promise<boolean> {
    const { pool, logger, metrics, shards } = this.#deps;
    this.#staged = 0;
    const started = performance.now();
    try {
      this.#lake ??= await this.#deps.openLake();
      const { rows } = await commitStaged(this.#lake, pool, shards());
      if (rows > 0) metrics.commit.observe((performance.now() - started) / 1000);
      metrics.lakeRows.inc(rows);
      return true;
    } catch (error) {
      metrics.failures.inc({ what: 'lake' });
      logger.error({ err: error }, 'could not commit staged rows to the lake; trying again');
      return false;
    }
  }
}

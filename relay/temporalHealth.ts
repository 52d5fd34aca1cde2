/** Whether Temporal answers, as the relay sees it; reported to the database for `/health`. */
import type { Connection } from '@temporalio/client';
import type { Queryable } from '../db/pool.ts';
import { writeServiceReport } from '../db/serviceReports.ts';

const PROBE_TIMEOUT_MS = 3_000;

export class TemporalHealth {
  #reachable = true;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get reachable(): boolean {
    return this.#reachable;
  }

  answered(): void {
    this.#reachable = true;
  }

  silent(): void {
    this.#reachable = false;
  }

  /** Asks Temporal, and tells the API through the database. */
  async report(pool: Queryable): Promise<void> {
    await this.#probe();
    await writeServiceReport(pool, 'relay', { temporalReachable: this.#reachable });
  }

  async #probe(): Promise<void> {
    try {
      await this.#connection.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () =>
        this.#connection.workflowService.getSystemInfo({}),
      );
      this.answered();
    } catch {
      this.silent();
    }
  }
}

/** Reports to the database, for `/health`, whether Temporal answers the relay. */
import type { Connection } from '@temporalio/client';
import type { Queryable } from '../../db/pool.ts';
import { writeServiceReport } from '../../db/installation/serviceReports.ts';

/** Interval of the reports. */
export const REPORT_MS = 5_000;
const PROBE_TIMEOUT_MS = 3_000;

export class TemporalHealth {
  #reachable = true;
  /** Version from the last answer; null before the first. */
  #version: string | null = null;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get reachable(): boolean {
    return this.#reachable;
  }

  markReachable(): void {
    this.#reachable = true;
  }

  markUnreachable(): void {
    this.#reachable = false;
  }

  /** Probes Temporal and stores the result for the API. */
  async report(pool: Queryable): Promise<void> {
    await this.#probe();
    await writeServiceReport(pool, 'relay', {
      temporalReachable: this.#reachable,
      temporalVersion: this.#version,
    });
  }

  async #probe(): Promise<void> {
    try {
      const { serverVersion } = await this.#connection.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () =>
        this.#connection.workflowService.getSystemInfo({}),
      );
      this.#version = serverVersion || this.#version;
      this.markReachable();
    } catch {
      this.markUnreachable();
    }
  }
}

/**
 * Jobs that go through all stored data of a person twice: a transaction of the intake that began before the change may
 * write late, so the second pass looks again after a pause.
 */
import type { JobInput } from '../jobs/jobs.ts';

/** The result of one chunk, which is one transaction. */
export interface PassChunk {
  /** Number of rows that it moved or removed. */
  rows: number;
  /** `more`: there is more to do. `passed`: this pass has ended. `over`: the job has ended. */
  state: 'more' | 'passed' | 'over';
}

/** The input of such a workflow; all fields but the ids are only set when it continues as a new run. */
export interface PassesInput extends JobInput {
  isLastPass?: boolean;
  rows?: number;
}

/**
 * The pause between the passes. No transaction lasts as long: each of its statements and idle times ends after 30 s
 * (db/pool.ts), and intake makes fewer than ten of them.
 */
export const PAUSE_BETWEEN_PASSES = '10 minutes';

/**
 * Jobs that go through everything that is stored of a person, twice: a transaction of the intake that
 * began before the change may write late, so a while later somebody looks again.
 */
import type { JobInput } from './jobs.ts';

/** What one chunk did; each is one transaction. */
export interface PassChunk {
  /** Rows that it moved or removed. */
  rows: number;
  /** `more`: there is more to do. `passed`: this pass is over. `over`: so is the job. */
  state: 'more' | 'passed' | 'over';
}

/** The input of such a workflow; all but the ids is set by its own next run only. */
export interface PassesInput extends JobInput {
  isLastPass?: boolean;
  rows?: number;
}

/**
 * Between the passes. No transaction lives as long: its statements end after 30 s each, its silence
 * too (db/pool.ts), and intake makes less than ten of them.
 */
export const PAUSE_BETWEEN_PASSES = '10 minutes';

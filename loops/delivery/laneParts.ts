/** The parts shared by both lanes, so that their attempts for a webhook are counted together. */
import type pg from 'pg';
import type { Attempt } from './attempt.ts';
import type { Recorder } from './outcomeRecorder.ts';
import type { AttemptSlots } from './attemptSlots.ts';

export interface LaneParts {
  pool: pg.Pool;
  attempt: Attempt;
  recorder: Recorder;
  slots: AttemptSlots;
}

/** The frame around one chunk of a job: it beats while it waits for the database, and tells what went wrong. */
import { CancelledFailure, Context } from '@temporalio/activity';
import type { Logger } from '../process/logger.ts';
import { retryableFailure } from './faults.ts';
import { currentLogFields } from './logFields.ts';

/** A statement may wait for a lock as long as the heartbeat timeout is (domain/queues.ts). */
const BEAT_MS = 5_000;

/**
 * Runs the whole of an activity. Whatever it throws is tried again (domain/queues.ts): a job is not given up.
 * A history gets the name of the fault alone; the log has the rest.
 * @param work may note how far it is: each beat tells what was noted last, for it would wipe it otherwise
 */
export async function runChunk<T>(logger: Logger, work: (note: (details: unknown) => void) => Promise<T>): Promise<T> {
  const activity = Context.current();
  let noted: unknown;
  const note = (details: unknown): void => {
    noted = details;
    activity.heartbeat(noted);
  };
  const beat = setInterval(() => activity.heartbeat(noted), BEAT_MS);
  try {
    return await work(note);
  } catch (error) {
    logger.warn({ ...currentLogFields(), attempt: activity.info.attempt, err: error }, 'chunk failed');
    const isLetGo = activity.cancellationSignal.aborted && !(error instanceof CancelledFailure);
    throw isLetGo ? new CancelledFailure('let go of') : retryableFailure(error);
  } finally {
    clearInterval(beat);
  }
}

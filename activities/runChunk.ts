/**
 * Runs one chunk of a job: sends heartbeats while it waits for the database, and reports errors.
 * training/faultsAndOutages.ts decides how often a step of a training may fail.
 */
import { CancelledFailure, Context } from '@temporalio/activity';
import type { Logger } from '../platform/process/logger.ts';
import { retryableFailure } from './analysisFaults.ts';
import { HEARTBEAT_MS } from './heartbeat.ts';
import { currentLogFields } from './logFields.ts';

/**
 * Runs the body of an activity. Whatever it throws is retried (domain/jobs/activityOptions.ts), because a job is never
 * abandoned. The history gets only the fault's name; the log has the rest.
 * @param work may record its progress. Each heartbeat repeats the latest record, of this attempt or an earlier one,
 *   because a heartbeat without it would erase it
 */
export async function runChunk<T>(
  logger: Logger,
  work: (heartbeat: (details: unknown) => void) => Promise<T>,
): Promise<T> {
  const activity = Context.current();
  let latest: unknown = activity.info.heartbeatDetails;
  const heartbeat = (details: unknown): void => {
    latest = details;
    activity.heartbeat(latest);
  };
  const timer = setInterval(() => activity.heartbeat(latest), HEARTBEAT_MS);
  try {
    return await work(heartbeat);
  } catch (error) {
    logger.warn({ ...currentLogFields(), attempt: activity.info.attempt, err: error }, 'chunk failed');
    const isLetGo = activity.cancellationSignal.aborted && !(error instanceof CancelledFailure);
    throw isLetGo ? new CancelledFailure('the work is no longer needed') : retryableFailure(error);
  } finally {
    clearInterval(timer);
  }
}

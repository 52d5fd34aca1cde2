/** Runs a step of a training and counts its failed attempts. workers/concurrency.ts says how many trainings run at a time. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { FAILURE } from '../../domain/jobs/failureTypes.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';
import { currentLogFields } from '../logFields.ts';
import { NO_FAULTS, reasonToGiveUp, withFault, type FaultHistory } from './faultsAndOutages.ts';

/**
 * Runs a step of a training. It is retried while the database, the blob store or the disk is unavailable, for some
 * hours; a few faults of its own end the training (faultsAndOutages.ts).
 */
export async function runTrainingStep<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  const { info, cancellationSignal } = Context.current();
  // The details that this function wrote; none before the first attempt has failed.
  let history: FaultHistory = info.heartbeatDetails ?? NO_FAULTS;
  try {
    return await runChunk(logger, (heartbeat) =>
      work().catch((error: unknown) => {
        // A cancelled attempt says nothing about the step.
        if (!cancellationSignal.aborted) heartbeat((history = withFault(history, error)));
        throw error;
      }),
    );
  } catch (error) {
    const reason = error instanceof ApplicationFailure ? reasonToGiveUp(history, error) : null;
    if (reason === null) throw error;
    logger.warn({ ...currentLogFields(), attempt: info.attempt, reason }, 'a training was given up');
    throw ApplicationFailure.nonRetryable(reason, FAILURE.permanent);
  }
}

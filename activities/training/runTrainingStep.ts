/**
 * Decides what failed attempts at a step mean for its training. activities/training/index.ts sets how many trainings
 * run at a time.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { FAILURE } from '../../domain/jobs/failureTypes.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { runChunk } from '../runChunk.ts';
import { currentLogFields } from '../logFields.ts';
import { outageOf, type Outage } from '../outages.ts';
import { HOUR_MS } from '../../domain/timeUnits.ts';

/**
 * A step that fails this often through its own fault will not succeed: the training is abandoned, and the next one
 * starts from the beginning.
 */
const MAX_FAULTS = 4;

/**
 * Long enough for an operator who looks in the morning or in the evening. Not longer, because the nightly round skips a
 * project whose training is still running (domain/training/dueTraining.ts): a training that an outage stops one night
 * is over before the next night, which reads newer events. AttuneTrainingMissing allows the same time for any training.
 */
const MAX_OUTAGE_HOURS = 12;

/**
 * The faults of the attempts so far. Each attempt records them with its last heartbeat, and Temporal passes them to the
 * next one.
 */
interface FaultHistory {
  /** Number of faults of the step itself. */
  faults: number;
  /**
   * The unavailable part at the last failed attempt, and the time at which that outage was first noticed; null when
   * that attempt met no outage.
   */
  outage: { what: Outage; since: string } | null;
}

/**
 * Runs a step of a training. It is retried while the database, the blob store or the disk is unavailable, up to {@link
 * MAX_OUTAGE_HOURS}; faults of its own end the training after {@link MAX_FAULTS}.
 */
export async function runTrainingStep<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  const { info, cancellationSignal } = Context.current();
  let history = historyOf(info.heartbeatDetails);
  try {
    return await runChunk(logger, (note) =>
      work().catch((error: unknown) => {
        // A cancelled attempt says nothing about the step.
        if (!cancellationSignal.aborted) note((history = withFault(history, error)));
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

/** Returns the details that {@link runTrainingStep} wrote; empty before the first attempt has failed. */
function historyOf(details: FaultHistory | null | undefined): FaultHistory {
  return details ?? { faults: 0, outage: null };
}

function withFault({ faults, outage }: FaultHistory, error: unknown): FaultHistory {
  const what = outageOf(error);
  if (what === null) return { faults: faults + 1, outage: null };
  return { faults, outage: { what, since: outage?.since ?? new Date().toISOString() } };
}

/** Returns the reason not to retry the step; null to retry it. */
function reasonToGiveUp({ faults, outage }: FaultHistory, { message }: ApplicationFailure): string | null {
  if (outage === null) return faults < MAX_FAULTS ? null : message;
  const hours = (Date.now() - Date.parse(outage.since)) / HOUR_MS;
  if (hours < MAX_OUTAGE_HOURS) return null;
  return `${outage.what} was unavailable for ${MAX_OUTAGE_HOURS} hours: ${message}`;
}

/** The frame around every analysis activity: heartbeats, cancellation, faults. */
import { CancelledFailure, Context } from '@temporalio/activity';
import { currentLogFields } from './logFields.ts';
import { faultOf, StoppedError, toFailure, type Fault } from './faults.ts';
import type { Logger } from '../process/logger.ts';

export interface WorkContext {
  /** Aborted when the workflow lets go of the step or the worker stops. */
  signal: AbortSignal;
  /** Notes how far the work came, for the next attempt if this one is lost. */
  progress: (details?: unknown) => void;
  /** What a lost attempt noted last. */
  resumeFrom: unknown;
}

/** A beat every few seconds keeps silent work (a provider that thinks) apart from a dead worker. */
const BEAT_MS = 5_000;

/**
 * Runs `work`, the whole of an activity, and turns what it throws into what the workflow understands.
 * @param onPermanentFault stores a fault that no retry can mend; its result is the activity's
 */
export async function runWork<T>(
  logger: Logger,
  work: (context: WorkContext) => Promise<T>,
  onPermanentFault: (fault: Fault) => Promise<T>,
): Promise<T> {
  const activity = Context.current();
  let noted: unknown = activity.info.heartbeatDetails;
  const resumeFrom = noted;
  // Beside a workflow nobody waits for beats, and the SDK complains of each.
  const heartbeat = (): void => {
    if (!activity.info.isLocal) activity.heartbeat(noted);
  };
  const beat = setInterval(heartbeat, BEAT_MS);
  const progress = (details?: unknown): void => {
    noted = details ?? noted;
    heartbeat();
  };
  try {
    return await work({ signal: activity.cancellationSignal, progress, resumeFrom });
  } catch (error) {
    const fault = classify(logger, error);
    if (fault.kind !== 'permanent') throw toFailure(fault, error);
    return await onPermanentFault(fault).catch((cause: unknown) => {
      throw toFailure(classify(logger, cause), cause);
    });
  } finally {
    clearInterval(beat);
  }
}

/** The worker's end is no fault of the step: it begins again on another, and none of its tries is used up. */
function isWorkerStopping({ reason }: AbortSignal): boolean {
  return reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';
}

/** @throws {CancelledFailure} when nobody waits for the work any more, whatever went wrong with it */
function classify(logger: Logger, error: unknown): Fault {
  const { cancellationSignal, info } = Context.current();
  if (isWorkerStopping(cancellationSignal)) return faultOf(new StoppedError());
  if (cancellationSignal.aborted) throw new CancelledFailure('let go of');
  const fault = faultOf(error);
  logger.warn(
    { ...currentLogFields(), attempt: info.attempt, fault: fault.error.code, kind: fault.kind, err: error },
    'activity failed',
  );
  return fault;
}

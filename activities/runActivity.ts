/** Wraps every analysis activity with heartbeats, cancellation and error handling. */
import { CancelledFailure, Context } from '@temporalio/activity';
import { HEARTBEAT_MS } from './heartbeat.ts';
import { currentLogFields } from './logFields.ts';
import { faultOf, StoppedError, toFailure, type Fault } from './analysisFaults.ts';
import type { Logger } from '../platform/process/logger.ts';

export interface WorkContext {
  /** Aborted when the workflow cancels the step or the worker stops. */
  signal: AbortSignal;
  /** Records the progress of the work, for the next attempt if this one is lost. */
  progress: (details?: unknown) => void;
  /** The last progress that a lost attempt recorded. */
  resumeFrom: unknown;
}

/**
 * Runs `work`, the body of an activity, and converts its errors into failures that the workflow understands.
 * @param onPermanentFault stores a fault that no retry can fix; its result is the activity's
 */
export async function runWork<T>(
  logger: Logger,
  work: (context: WorkContext) => Promise<T>,
  onPermanentFault: (fault: Fault) => Promise<T>,
): Promise<T> {
  const activity = Context.current();
  let latest: unknown = activity.info.heartbeatDetails;
  const resumeFrom = latest;
  // Nothing waits for the heartbeats of a local activity, and the SDK logs a warning for each.
  const heartbeat = (): void => {
    if (!activity.info.isLocal) activity.heartbeat(latest);
  };
  const timer = setInterval(heartbeat, HEARTBEAT_MS);
  const progress = (details?: unknown): void => {
    latest = details ?? latest;
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
    clearInterval(timer);
  }
}

/**
 * Returns true when the worker ends, which is not a fault of the step: it restarts on another worker, and no attempt is
 * used up.
 */
function isWorkerStopping({ reason }: AbortSignal): boolean {
  return reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';
}

/** @throws {CancelledFailure} when nothing waits for the work any more, whatever error it had */
function classify(logger: Logger, error: unknown): Fault {
  const { cancellationSignal, info } = Context.current();
  if (isWorkerStopping(cancellationSignal)) return faultOf(new StoppedError());
  if (cancellationSignal.aborted) throw new CancelledFailure('the work is no longer needed');
  const fault = faultOf(error);
  logger.warn(
    { ...currentLogFields(), attempt: info.attempt, fault: fault.error.code, kind: fault.kind, err: error },
    'activity failed',
  );
  return fault;
}

/** Classifies every error of analysis work as a kind of fault with a code for users. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { isDatabaseUnavailable } from '../db/errors.ts';
import { MAX_QUICK_RETRY_MS } from '../domain/analysis/deferral.ts';
import { FAILURE } from '../domain/jobs/failureTypes.ts';
import { FAULT_MESSAGES, type FaultCode } from '../domain/items/errorCodes.ts';
import type { StepError } from '../domain/analysis/steps.ts';
import { isOutgoingError } from '../platform/outgoing/errors.ts';
import { isDiskFull } from '../platform/disk/diskFaults.ts';
import { FfmpegError } from '../platform/process/decoders/ffmpeg.ts';
import { isSettingsFault, isUnusableAnswer, ProviderError, type ProviderErrorKind } from '../providers/errors.ts';
import { downloadFault } from './downloadFaults.ts';
import { BusyError, MediaError } from './mediaErrors.ts';

export interface Fault {
  /**
   * `permanent`: ends the step. `temporary`: quick retries. `exhausted`: deferred at once. `interrupted`: restarted
   * until it succeeds.
   */
  kind: keyof typeof FAILURE;
  error: StepError;
  /** Wait that the other side requested, in milliseconds. */
  retryAfterMs: number | null;
}

/** Error for a worker that is stopping and returns its current work. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Classifies an error. Unknown errors are temporary, so that a bug does not end an item's analysis at once. */
export function faultOf(error: unknown): Fault {
  if (error instanceof MediaError) return fault(error.permanent ? 'permanent' : 'temporary', error);
  if (error instanceof ProviderError) return providerFault(error);
  if (isOutgoingError(error)) return named(...downloadFault(error));
  if (isWithoutSpace(error)) return fault('temporary', new MediaError('storage_full'));
  return named(
    error instanceof BusyError || error instanceof StoppedError || isDatabaseUnavailable(error)
      ? 'interrupted'
      : 'temporary',
    'internal',
  );
}

/** Recognises a full disk wherever it occurs: the download, a decoder's output, the blob store. */
function isWithoutSpace(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof FfmpegError && error.kind === 'storage_full');
}

/** Returns the failure that tells the workflow, and Temporal's retries, how to continue. */
export function toFailure({ kind, error, retryAfterMs }: Fault, cause: unknown): ApplicationFailure {
  return ApplicationFailure.create({
    message: `${error.code}: ${describe(cause)}`,
    type: FAILURE[kind],
    nonRetryable: kind !== 'temporary',
    details: [error],
    ...(retryAfterMs !== null && kind === 'temporary' ? { nextRetryDelay: retryAfterMs } : {}),
  });
}

/**
 * Returns a failure for work that is retried until it succeeds. It has only the kind and the name of the fault, because
 * it enters a workflow's history, and the message of a database or file error may contain what people wrote.
 */
export function retryableFailure(cause: unknown): Error {
  if (cause instanceof ApplicationFailure || cause instanceof CancelledFailure) return cause;
  const { kind, error } = faultOf(cause);
  const type = kind === 'interrupted' ? FAILURE.interrupted : FAILURE.temporary;
  return ApplicationFailure.create({ message: `${error.code}: ${describe(cause)}`, type });
}

const PROVIDER_FAULTS: Record<ProviderErrorKind, [Fault['kind'], FaultCode]> = {
  retryable: ['temporary', 'provider_unavailable'],
  quota: ['exhausted', 'provider_quota'],
  permanent: ['permanent', 'provider_rejected'],
  refused: ['permanent', 'provider_refused'],
};

function providerFault(error: ProviderError): Fault {
  if (isSettingsFault(error.code))
    return {
      kind: 'exhausted',
      error: { code: error.code, message: FAULT_MESSAGES.provider_rejected },
      retryAfterMs: null,
    };
  const [usualKind, usualCode] = PROVIDER_FAULTS[error.kind];
  const code = isUnusableAnswer(error.code) ? 'provider_bad_answer' : usualCode;
  const isFarOff = usualKind === 'temporary' && (error.retryAfterMs ?? 0) > MAX_QUICK_RETRY_MS;
  const kind = isFarOff ? 'exhausted' : usualKind;
  return { kind, error: { code: error.code, message: FAULT_MESSAGES[code] }, retryAfterMs: error.retryAfterMs };
}

function named(kind: Fault['kind'], code: FaultCode): Fault {
  return { kind, error: { code, message: FAULT_MESSAGES[code] }, retryAfterMs: null };
}

function fault(kind: Fault['kind'], { code, message }: MediaError): Fault {
  return { kind, error: { code, message }, retryAfterMs: null };
}

/** Describes an error for the history: the message of a safe error, only the name of any other. */
function describe(cause: unknown): string {
  if (cause instanceof ProviderError || isOutgoingError(cause)) return cause.message;
  return cause instanceof Error ? cause.name : typeof cause;
}

/** How long a thread may analyse one text, and the errors when it takes longer or fails. */
import { ProviderError } from '../../errors.ts';
import { ThreadCpuLimitError, ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './thread.ts';

/**
 * Limits of one job of a thread that analyses texts. Only the processor time is the text's fault: a text that needs
 * more of it will always do so, while on a busy machine any text may take a long time. The largest accepted text takes
 * about 2 s.
 */
export const TEXT_LIMITS = { cpuMs: 60_000, timeoutMs: 10 * 60_000 };

/** Throws the provider error for a thread's failure to analyse a text; the reason of an aborted call is rethrown. */
export function throwTextFault(error: unknown): never {
  if (error instanceof ThreadCpuLimitError)
    throw new ProviderError('permanent', 'text_too_complex', 'text analysis takes too much processor time');
  if (error instanceof ThreadTimeoutError)
    throw new ProviderError('retryable', 'analysis_interrupted', 'text analysis took too long');
  if (error instanceof ThreadDiedError)
    throw new ProviderError('retryable', 'analysis_interrupted', 'the analysis thread ended');
  if (error instanceof ThreadJobError)
    throw new ProviderError('permanent', 'text_analysis_failed', 'text analysis failed');
  throw error;
}

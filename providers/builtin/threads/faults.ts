import { ProviderError } from '../../errors.ts';
import { ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './thread.ts';

/** Throws the provider error for a thread's failure to analyse a text; the reason of an aborted call is rethrown. */
export function throwTextFault(error: unknown): never {
  if (error instanceof ThreadTimeoutError)
    throw new ProviderError('permanent', 'text_too_complex', 'text analysis took too long');
  if (error instanceof ThreadDiedError)
    throw new ProviderError('retryable', 'analysis_interrupted', 'the analysis thread ended');
  if (error instanceof ThreadJobError)
    throw new ProviderError('permanent', 'text_analysis_failed', 'text analysis failed');
  throw error;
}

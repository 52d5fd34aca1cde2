import { ProviderError } from '../../errors.ts';
import { ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './thread.ts';

/** Throws what a thread's failure means for the text that it was to analyse; the reason of an aborted call passes through. */
export function throwTextFault(error: unknown): never {
  if (error instanceof ThreadTimeoutError)
    throw new ProviderError('permanent', 'text_too_complex', 'text analysis took too long');
  if (error instanceof ThreadDiedError)
    throw new ProviderError('retryable', 'analysis_interrupted', 'the analysis thread ended');
  if (error instanceof ThreadJobError)
    throw new ProviderError('permanent', 'text_analysis_failed', 'text analysis failed');
  throw error;
}

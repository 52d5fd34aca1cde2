/** What the tests of this provider share. */
import { ProviderError } from '../../../providers/errors.ts';
import type { CallContext } from '../../../providers/types.ts';

export function callContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return { signal, progress: () => undefined };
}

/** The body of a recorded request, in the shape its test expects. */
export function bodyOf<T>(request: { body: unknown } | undefined): T {
  if (!request) throw new Error('There was no such request');
  return request.body as T;
}

/** The ProviderError that a call ends with; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('The call succeeded');
}

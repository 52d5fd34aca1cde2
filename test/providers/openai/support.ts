/** Helpers that the tests of this provider share. */
import { ProviderError } from '../../../providers/errors.ts';
import type { CallContext, Drafts, Usage } from '../../../providers/types.ts';

export function callContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return { signal, progress: () => undefined };
}

/** Returns a context for work on that item. */
export const contextOf = (item: string): CallContext => ({ ...callContext(), item });

/** Returns a caller that records bills and keeps drafts over several runs. */
export function rememberingContext(): CallContext & { bills: Usage[]; kept: Map<string, string> } {
  const bills: Usage[] = [];
  const kept = new Map<string, string>();
  const drafts: Drafts = {
    load: async (part) => (kept.has(part) ? (JSON.parse(kept.get(part) ?? '') as unknown) : undefined),
    save: async (part, value) => void kept.set(part, JSON.stringify(value)),
  };
  return { ...callContext(), drafts, bills, kept, onUsage: async (_, usage) => void bills.push(usage) };
}

/** Returns the body of a recorded request, in the shape that its test expects. */
export function bodyOf<T>(request: { body: unknown } | undefined): T {
  if (!request) throw new Error('There was no such request');
  return request.body as T;
}

/** Returns the ProviderError with which a call ends; any other outcome fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('The call succeeded');
}

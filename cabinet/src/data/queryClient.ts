/** Caching and retries of API responses. */
import { QueryClient } from '@tanstack/react-query';
import { AttuneError } from './client.ts';

/** Status codes of temporary errors. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
const FRESH_MS = 2_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MAX_TRIES && isPassing(error),
      retryDelay: (failures, error) => pauseOf(error) ?? FIRST_PAUSE_MS * 2 ** failures,
    },
  },
});

/** The lack of any response is temporary too. */
function isPassing(error: Error): boolean {
  return !(error instanceof AttuneError) || PASSING.has(error.status);
}

function pauseOf(error: Error): number | null {
  return error instanceof AttuneError && error.retryAfter !== null ? error.retryAfter * 1000 : null;
}

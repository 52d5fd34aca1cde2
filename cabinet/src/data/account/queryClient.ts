/** Caching and retries of API responses. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { meQuery } from './account.ts';
import { AttuneError } from '../client.ts';
import { MIN_RIGHTS_PAUSE_MS } from './rightsRefresh.ts';
import { projectsQuery, sitesQuery } from './tenants.ts';

/** Status codes of temporary errors. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
/** A user who has to wait longer is told, and decides when to try again. */
const MAX_SILENT_SECONDS = 10;
const FRESH_MS = 2_000;

/** Status codes that a user may get after losing an account, a right, a project or a site. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);
/** Queries for the user's identity and rights, which the frame of all pages shows. */
const RIGHTS_QUERIES = [meQuery, projectsQuery, sitesQuery];

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refetchRights }),
  mutationCache: new MutationCache({ onError: refetchRights }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MAX_TRIES && isTransient(error) && !isLong(error),
      retryDelay: (failures, error) => retryDelayOf(error) ?? FIRST_PAUSE_MS * 2 ** failures,
    },
  },
});

/** Reads the rights again after a refusal: the page may have to close, or its controls to be disabled with a reason. */
function refetchRights(error: Error): void {
  if (!(error instanceof AttuneError) || !REFUSAL_STATUSES.has(error.status)) return;
  const { dataUpdatedAt = 0, errorUpdatedAt = 0 } = queryClient.getQueryState(meQuery.queryKey) ?? {};
  if (Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) < MIN_RIGHTS_PAUSE_MS) return;
  for (const { queryKey } of RIGHTS_QUERIES) void queryClient.invalidateQueries({ queryKey, exact: true });
}

/** The lack of any response is temporary too. */
function isTransient(error: Error): boolean {
  return !(error instanceof AttuneError) || TRANSIENT_STATUSES.has(error.status);
}

function isLong(error: Error): boolean {
  return error instanceof AttuneError && (error.retryAfter ?? 0) > MAX_SILENT_SECONDS;
}

function retryDelayOf(error: Error): number | null {
  return error instanceof AttuneError && error.retryAfter !== null ? error.retryAfter * 1000 : null;
}

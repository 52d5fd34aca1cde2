/** Lists that the API keeps for the moments when selection does not answer. The rules are asked of each item anyway. */
import type { Queryable } from '../../db/pool.ts';
import { listNewestItems } from '../../db/output/newest.ts';

/** Ids of a list: what a page with all of its rules needs, and no more than a few milliseconds to judge. */
const LISTED = 500;
const FRESH_MS = 60_000;
/** Projects whose lists are kept: 500 ids are some 20 KB. */
const PROJECTS = 2_000;

interface List {
  ids: readonly string[];
  readAt: number;
}

export interface FallbackLists {
  /** At most a minute old. @throws when it is not known and the database does not answer */
  idsOf(projectId: string): Promise<readonly string[]>;
}

export function createFallbackLists(pool: Queryable): FallbackLists {
  const lists = new Map<string, List>();
  return {
    async idsOf(projectId) {
      const known = lists.get(projectId);
      if (known && performance.now() - known.readAt < FRESH_MS) return known.ids;
      const ids = await listNewestItems(pool, projectId, LISTED);
      lists.delete(projectId);
      lists.set(projectId, { ids, readAt: performance.now() });
      const oldest = lists.keys().next();
      if (lists.size > PROJECTS && !oldest.done) lists.delete(oldest.value);
      return ids;
    },
  };
}

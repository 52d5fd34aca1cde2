/**
 * Turns for the pages after the first: while one request makes a page, others with the same cursor wait, and then
 * repeat it. Otherwise each would rank a page of its own, of which only one is stored, and the next page would repeat
 * items of the others.
 */
import type { PagePosition } from '../request/cursors.ts';

export interface PageTurns {
  /** Runs the work after any other that is making the same page. */
  inTurn<T>(projectId: string, position: PagePosition | null, work: () => Promise<T>): Promise<T>;
}

export function createPageTurns(): PageTurns {
  /** Whether the page could be made, by its key. */
  const making = new Map<string, Promise<boolean>>();
  return {
    async inTurn(projectId, position, work) {
      // Every first page is an answer of its own.
      if (position === null) return work();
      const key = JSON.stringify([projectId, position.recommendationId, position.page]);
      // After a failure there is nothing to repeat, so one of those that wait makes the page.
      for (let before = making.get(key); before; before = making.get(key)) if (await before) return work();
      const page = work();
      making.set(
        key,
        page.then(
          () => true,
          () => false,
        ),
      );
      return page.finally(() => making.delete(key));
    },
  };
}

/** Reads what earlier pages of an answer have shown: the next page continues them, and a repeated page is the same. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isAnyDeleted, readShownPages, type ShownPage, type StoredPage } from '../../db/output/snapshots.ts';
import type { PagePlace } from './cursors.ts';
import type { SnapshotWriter } from './snapshotWriter.ts';

/**
 * Snapshots are stored after the response: a client that requests the next page from another process may be ahead of
 * them.
 */
const LOOKS = 6;
const BETWEEN_LOOKS_MS = 200;

/** The page that a cursor continues is unknown: its snapshot was lost or has expired. */
export class LostPage extends Error {
  override readonly name = 'LostPage';
}

export interface EarlierPages {
  /** Items of the earlier pages. */
  shown: ReadonlySet<string>;
  /**
   * The page itself, when it was answered already; null when its person was deleted, since it shows what the person
   * did.
   */
  page: ShownPage | null;
}

/** @throws {LostPage} */
export async function readEarlierPages(
  pool: pg.Pool,
  snapshots: Pick<SnapshotWriter, 'waitingOf'>,
  projectId: string,
  { recommendationId: id, page }: PagePlace,
): Promise<EarlierPages> {
  for (let look = 1; look <= LOOKS; look += 1) {
    const stored = await readShownPages(pool, projectId, id, page);
    const pages: StoredPage[] = [...snapshots.waitingOf(projectId, id), ...stored];
    const known = new Map(pages.map((one) => [one.page, one]));
    const before = Array.from({ length: page }, (_, at) => known.get(at)).filter((one) => one !== undefined);
    if (before.length === page) {
      const itself = known.get(page);
      const isKept = itself !== undefined && !(await isForgotten(pool, projectId, pages));
      return { shown: new Set(before.flatMap(({ itemIds }) => itemIds)), page: isKept ? itself : null };
    }
    if (look < LOOKS) await delay(BETWEEN_LOOKS_MS);
  }
  throw new LostPage(`a page of ${id} before page ${page} is not known`);
}

/** Returns true when the person of an answer was deleted. */
async function isForgotten(pool: pg.Pool, projectId: string, pages: readonly StoredPage[]): Promise<boolean> {
  const owners = pages.flatMap(({ identityId }) => identityId ?? []);
  return owners.length > 0 && isAnyDeleted(pool, projectId, owners);
}

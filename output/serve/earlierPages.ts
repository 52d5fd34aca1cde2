/** Reads what earlier pages of an answer have shown: the next page continues them, and a repeated page is the same. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readShownPages, type ShownPage } from '../../db/output/snapshots.ts';
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
  /** The page itself, when it was answered already; not one of a deleted person, which says what the person did. */
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
    const waiting = snapshots.waitingOf(projectId, id);
    const known = new Map<number, ShownPage>([...waiting, ...stored].map((one) => [one.page, one]));
    const before = Array.from({ length: page }, (_, at) => known.get(at)).filter((one) => one !== undefined);
    const isForgotten = stored.some((one) => one.isForgotten);
    if (before.length === page)
      return {
        shown: new Set(before.flatMap(({ itemIds }) => itemIds)),
        page: isForgotten ? null : (known.get(page) ?? null),
      };
    if (look < LOOKS) await delay(BETWEEN_LOOKS_MS);
  }
  throw new LostPage(`a page of ${id} before page ${page} is not known`);
}

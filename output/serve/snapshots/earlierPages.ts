/** Reads what earlier pages of an answer have shown: the next page continues them, and a repeated page is the same. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { isAnyDeleted, readShownPages, type ShownPage, type StoredPage } from '../../../db/output/snapshots.ts';
import type { PagePosition } from '../request/cursors.ts';
import type { SnapshotWriter } from './snapshotWriter.ts';

/**
 * Snapshots are stored after the response: a client that requests the next page from another process may be ahead of
 * them.
 */
const TRIES = 6;
const BETWEEN_LOOKS_MS = 200;

/** The page that a cursor continues is unknown: its snapshot was lost or has expired. */
export class LostPageError extends Error {
  override readonly name = 'LostPageError';
}

export interface EarlierPages {
  /** Items of the earlier pages. */
  shown: ReadonlySet<string>;
  /**
   * The page itself, if it was answered already. Null if it was not, or if it shows what its person did, and the person
   * was deleted or does not want personalization any more.
   */
  page: ShownPage | null;
}

export interface EarlierPagesQuery {
  projectId: string;
  position: PagePosition;
  /** The person of the request. */
  person: Pick<OutputPerson, 'personalization'> | null;
}

/** @throws {LostPageError} */
export async function readEarlierPages(
  pool: pg.Pool,
  snapshots: Pick<SnapshotWriter, 'pendingPages'>,
  { projectId, position, person }: EarlierPagesQuery,
): Promise<EarlierPages> {
  const { recommendationId: id, page } = position;
  for (let look = 1; look <= TRIES; look += 1) {
    // Memory is read before the table: in the reverse order, a page that is stored between the reads would be missed.
    const waiting = snapshots.pendingPages(projectId, id);
    const stored = await readShownPages(pool, projectId, id, page);
    const known = lastMade([...waiting, ...stored]);
    const before = Array.from({ length: page }, (_, at) => known.get(at)).filter((one) => one !== undefined);
    if (before.length === page) {
      const itself = known.get(page);
      const isKept = itself !== undefined && (await mayBeRepeated(pool, projectId, itself, person));
      return { shown: new Set(before.flatMap(({ itemIds }) => itemIds)), page: isKept ? itself : null };
    }
    if (look < TRIES) await delay(BETWEEN_LOOKS_MS);
  }
  throw new LostPageError(`a page of ${id} before page ${page} is not known`);
}

/**
 * Returns pages by number. A page of a person who was deleted, or has turned personalization off, is made again without
 * the person. It replaces the person's page, which may still be stored (db/output/snapshots.ts).
 */
function lastMade(pages: readonly StoredPage[]): Map<number, StoredPage> {
  const ownerless = pages.filter(({ identityId }) => identityId === null);
  return new Map([...pages, ...ownerless].map((one) => [one.page, one]));
}

async function mayBeRepeated(
  pool: pg.Pool,
  projectId: string,
  { identityId }: StoredPage,
  person: EarlierPagesQuery['person'],
): Promise<boolean> {
  if (identityId === null) return true;
  return person?.personalization !== false && !(await isAnyDeleted(pool, projectId, [identityId]));
}

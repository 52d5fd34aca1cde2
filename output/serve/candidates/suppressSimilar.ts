/**
 * Leaves out what is similar to items that the person rejected for a while (`suppress_similar_days`): items with nearly
 * the same content. domain/output/similarity/similarity.ts says how near they have to be.
 */
import type pg from 'pg';
import { readItemVectors } from '../../../db/output/itemVectors.ts';
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { isSuppressed } from '../../../domain/output/similarity/similarity.ts';
import type { ItemVector } from '../../../domain/output/vectors.ts';

/** Maximum number of compared items: each adds one comparison per candidate. */
const MAX_COMPARED = 200;

/** Returns the suppressed items of the person; the latest ones when there are more than can be compared. */
export function suppressedFor(person: OutputPerson | null): readonly string[] {
  return (person?.suppressedItems ?? []).slice(0, MAX_COMPARED);
}

/**
 * Returns a function that finds which of some items are so near to suppressed ones that they are suppressed as well.
 */
export function suppression({
  pool,
  projectId,
  suppressed,
}: {
  pool: pg.Pool;
  projectId: string;
  /** {@link suppressedFor} */
  suppressed: readonly string[];
}): (ids: readonly string[]) => Promise<ReadonlySet<string>> {
  /** Read once, and only when there is something to compare. */
  let suppressedVectors: Promise<ItemVector[]> | undefined;
  const readSuppressedVectors = async (): Promise<ItemVector[]> => [
    ...(await readItemVectors(pool, projectId, suppressed)).values(),
  ];
  return async (ids) => {
    if (suppressed.length === 0 || ids.length === 0) return new Set();
    const [near, vectors] = await Promise.all([
      (suppressedVectors ??= readSuppressedVectors()),
      readItemVectors(pool, projectId, ids),
    ]);
    return new Set(
      ids.filter((id) => {
        const vector = vectors.get(id);
        return vector !== undefined && isSuppressed(vector, near);
      }),
    );
  };
}

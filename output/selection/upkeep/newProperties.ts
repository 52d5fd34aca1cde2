/** Reads properties that have become filterable after a catalogue was loaded, one page of its items after another. */
import type pg from 'pg';
import { listProperties } from '../../../db/items/properties.ts';
import { readItemProperties } from '../../../db/output/itemProperties.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

/** Items per read. No question is answered while they are taken in, which takes a millisecond or two. */
const PAGE = 200;

/** Returns the names of the properties that filters may use. */
export async function filterableOf(pool: pg.Pool, projectId: string): Promise<string[]> {
  return (await listProperties(pool, projectId)).flatMap(({ name, filterable }) => (filterable ? [name] : []));
}

/**
 * Reads the properties that have become filterable. Meanwhile the catalogue answers questions that do not need them.
 * @param shouldContinue returns false to end the reading; it is called after each page
 * @throws when the database does not answer; the properties are unknown then, and can be read again
 */
export async function readNewProperties(
  pool: pg.Pool,
  projectId: string,
  { catalogue, shouldContinue }: { catalogue: Catalogue; shouldContinue(): boolean },
): Promise<void> {
  catalogue.keepAlso(await filterableOf(pool, projectId));
  // Items that are added from here on bring their properties.
  const { size } = catalogue;
  for (let from = 0; from < size; from += PAGE) {
    const items = Array.from({ length: Math.min(PAGE, size - from) }, (_, at) => catalogue.itemAt(from + at)).filter(
      (item) => item !== undefined,
    );
    const ids = items.map(({ id }) => id);
    catalogue.backfill(items, await readItemProperties(pool, projectId, ids));
    if (!shouldContinue()) return;
  }
  catalogue.allFilledIn();
}

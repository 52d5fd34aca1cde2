/** The lists of statuses in the database: a new status needs a migration that recreates the indexes and triggers. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IS_SHOWN } from '../../../domain/output/mayShow.ts';
import { ITEM_STATUSES } from '../../../domain/analysis/steps.ts';
import { UNFINISHED_STATUSES } from '../../../domain/items/status.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Returns the lists that the pattern's first group matches, by the name of the index on items or of the function. */
async function listsOf(pattern: string): Promise<Record<string, string[][]>> {
  const { rows } = await database.pool.query<{ name: string; list: string }>(
    `select o.name, m[1] as list
       from (select indexname as name, indexdef as text from pg_indexes where tablename = 'items'
              union all
             select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace) o
      cross join lateral regexp_matches(o.text, $1, 'g') m order by o.name`,
    [pattern],
  );
  const found: Record<string, string[][]> = {};
  for (const { name, list } of rows) (found[name] ??= []).push((list.match(/(?<=')\w+(?=')/g) ?? []).toSorted());
  return found;
}

it('the indexes and triggers of unfinished items know every status that is not final', async () => {
  const unfinished = UNFINISHED_STATUSES.toSorted();
  expect(await listsOf('status (?:in \\(|= ANY \\(ARRAY\\[)([^\\])]*)')).toEqual({
    items_unfinished: [unfinished],
    items_unfinished_of_project: [unfinished],
    tally_changed_items: [unfinished, unfinished],
    tally_new_items: [unfinished],
  });
});

it('the indexes of items that may be shown leave out every status that is not shown', async () => {
  const hidden = ITEM_STATUSES.filter((status) => !IS_SHOWN[status]).toSorted();
  expect(await listsOf("status <> (?:ALL \\(ARRAY\\[)?('[^\\])]*)")).toEqual({
    items_by_author: [hidden],
    items_by_publication: [hidden],
    items_by_title_words: [hidden],
  });
});

/** Which items people keep using together, by the published model (migrations/0116_item_companions.sql). */
import type { ItemCompanions } from '../../domain/training/companions.ts';
import type { Queryable } from '../pool.ts';

/** Number of items that a statement reads or writes. */
const PAGE = 2_000;

/**
 * Replaces the companions of a project's items. Writes only what has changed, because each pass over the latest changes
 * publishes a model too. Each statement is short.
 */
export async function storeCompanions(
  pool: Queryable,
  projectId: string,
  companions: readonly ItemCompanions[],
): Promise<void> {
  for (let from = 0; from < companions.length; from += PAGE)
    await storePage(pool, projectId, companions.slice(from, from + PAGE));
  await deleteOthers(pool, projectId, new Set(companions.map(({ item }) => item)));
}

async function storePage(pool: Queryable, projectId: string, page: readonly ItemCompanions[]): Promise<void> {
  await pool.query(
    `insert into item_companions (project_id, item_id, companions)
     select $1, item, companions from jsonb_to_recordset($2::jsonb) as c (item text, companions text[])
      where not exists (select from item_companions s
                         where s.project_id = $1 and s.item_id = c.item and s.companions = c.companions)
     on conflict (project_id, item_id) do update set companions = excluded.companions`,
    [projectId, JSON.stringify(page)],
  );
}

async function deleteOthers(pool: Queryable, projectId: string, kept: ReadonlySet<string>): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await pool.query<{ item: string }>(
      `select item_id as item from item_companions where project_id = $1 and item_id > $2 order by item_id limit $3`,
      [projectId, after, PAGE],
    );
    const others = rows.map(({ item }) => item).filter((item) => !kept.has(item));
    if (others.length > 0)
      await pool.query('delete from item_companions where project_id = $1 and item_id = any($2::text[])', [
        projectId,
        others,
      ]);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.item;
  }
}

/** Returns all items that people keep using together with one of the given items. */
export async function readCompanions(pool: Queryable, projectId: string, items: readonly string[]): Promise<string[]> {
  if (items.length === 0) return [];
  const { rows } = await pool.query<{ id: string }>({
    name: 'item-companions',
    text: `select distinct unnest(companions) as id from item_companions where project_id = $1 and item_id = any($2::text[])`,
    values: [projectId, items],
  });
  return rows.map(({ id }) => id);
}

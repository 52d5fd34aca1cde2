/** The language in which the texts about an item are written. */
import type { ItemRef } from '../items/writeItems.ts';
import type { Queryable } from '../pool.ts';

export interface ItemLanguage {
  /** ISO 639-1 code that the project wants; null means the language of the content. */
  wanted: string | null;
  /** The beginning of the item's own texts, for language detection; empty when it has none. */
  text: string;
}

/** Returns null when the item does not exist or is deleted. */
export async function readItemLanguage(pool: Queryable, ref: ItemRef): Promise<ItemLanguage | null> {
  const { rows } = await pool.query<ItemLanguage>({
    name: 'item-language',
    text: `select nullif(p.language, 'auto') as wanted, concat_ws(E'\\n', i.title, left(i.description, 2000), left(i.body, 2000)) as text
             from items i join projects p on p.id = i.project_id
            where i.project_id = $1 and i.id = $2 and not i.deleted`,
    values: [ref.projectId, ref.itemId],
  });
  return rows[0] ?? null;
}

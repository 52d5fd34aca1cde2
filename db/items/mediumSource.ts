/** The source of a medium of an item. */
import type { MediaKind } from '../../domain/analysis/steps.ts';
import type { Queryable } from '../pool.ts';

/** A medium, named by its position in the item. */
export interface MediumPosition {
  projectId: string;
  itemId: string;
  position: number;
}

export interface MediumSource {
  url: string;
  kind: MediaKind;
}

/** Returns null when the item is deleted, or when it has no such medium (any more). */
export async function findMediumSource(
  pool: Queryable,
  { projectId, itemId, position }: MediumPosition,
): Promise<MediumSource | null> {
  const { rows } = await pool.query<MediumSource>({
    name: 'medium-source',
    text: `select m.url, m.kind from item_media m join items i on i.project_id = m.project_id and i.id = m.item_id
            where m.project_id = $1 and m.item_id = $2 and m.position = $3 and not i.deleted`,
    values: [projectId, itemId, position],
  });
  return rows[0] ?? null;
}

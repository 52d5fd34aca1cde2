/** Declared properties of items (domain/items/properties.ts). */
import type pg from 'pg';
import type { PropertyDeclaration } from '../../domain/items/properties.ts';
import type { Queryable } from '../pool.ts';
import { inTransaction } from '../pool.ts';

/** Maximum number of declared properties; every write reads all of them. */
export const PROPERTIES_PER_PROJECT = 200;

/** Returns all declared properties, by name. */
export async function listProperties(pool: Queryable, projectId: string): Promise<PropertyDeclaration[]> {
  const { rows } = await pool.query<PropertyDeclaration>({
    name: 'properties-list',
    text: 'select name, type, filterable from item_properties where project_id = $1 order by name collate "C"',
    values: [projectId],
  });
  return rows;
}

/** Declares a property or changes one. Stored values are not validated again. */
export function putProperty(
  pool: pg.Pool,
  projectId: string,
  property: PropertyDeclaration,
): Promise<'created' | 'changed' | 'full' | 'unknown_project'> {
  return inTransaction(pool, async (client) => {
    // Two concurrent additions must not exceed the limit together.
    const { rowCount: projects } = await client.query('select from projects where id = $1 for no key update', [
      projectId,
    ]);
    if (projects === 0) return 'unknown_project';
    const { rows } = await client.query<{ created: boolean }>(
      `insert into item_properties (project_id, name, type, filterable)
       select $1, $2, $3, $4
        where (select count(*) from item_properties where project_id = $1 and name <> $2) < ${PROPERTIES_PER_PROJECT}
       on conflict (project_id, name) do update set type = excluded.type, filterable = excluded.filterable
       returning xmax = 0 as created`,
      [projectId, property.name, property.type, property.filterable],
    );
    if (!rows[0]) return 'full';
    return rows[0].created ? 'created' : 'changed';
  });
}

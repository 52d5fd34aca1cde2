/** What an answer may tell of its items beside their ids. */
import { JOIN_RESULTS } from '../items/currentResults.ts';
import type { Queryable } from '../pool.ts';

export interface ItemFields {
  id: string;
  title: string | null;
  url: string | null;
  author: string | null;
  summary: string | null;
  tags: string[] | null;
  properties: Record<string, unknown> | null;
  /** The address of its first picture, as the integrator gave it. */
  image_url: string | null;
}

/** By id; an item that is gone is missing. */
export async function readItemFields(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, ItemFields>> {
  const { rows } = await pool.query<ItemFields>({
    name: 'output-item-fields',
    text: `select i.id, i.title, i.url, i.author, i.properties, s.summary ->> 'summary' as summary,
                  (select array_agg(t) from jsonb_array_elements_text(nullif(s.summary -> 'tags', 'null')) t) as tags,
                  (select m.url from item_media m where m.project_id = i.project_id and m.item_id = i.id and m.kind = 'image'
                    order by m.position limit 1) as image_url
             from items i ${JOIN_RESULTS} where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** By id; an item that is gone is missing. */
export async function readItemProperties(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown> | null>> {
  const { rows } = await pool.query<Pick<ItemFields, 'id' | 'properties'>>({
    name: 'output-item-properties',
    text: 'select id, properties from items where project_id = $1 and id = any($2::text[])',
    values: [projectId, ids],
  });
  return new Map(rows.map(({ id, properties }) => [id, properties]));
}

/** Those of the ids that the project has ever had, deleted items included. */
export async function readKnownIds(pool: Queryable, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'output-known-ids',
    text: 'select id from items where project_id = $1 and id = any($2::text[])',
    values: [projectId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

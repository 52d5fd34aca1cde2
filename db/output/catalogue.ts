/** The catalogue as the selection process follows it: every change of a project's items, in order, none missed. */
import type pg from 'pg';
import type { AgeRating } from '../../domain/output/rules.ts';
import type { ItemStatus, ItemType } from '../../domain/steps.ts';
import { IS_CHUNK_CURRENT, JOIN_RESULTS } from '../items/currentResults.ts';
import type { ItemPosition } from '../items/list.ts';
import type { Queryable } from '../pool.ts';

/** What recommendations know of an item. */
export interface CatalogueItem {
  id: string;
  type: ItemType;
  author: string | null;
  publishedAt: Date;
  properties: Record<string, unknown> | null;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  ageRating: AgeRating | null;
  topics: readonly string[];
  tags: readonly string[];
}

export interface CatalogueChange extends CatalogueItem {
  position: ItemPosition;
  /** Of the item's first search chunks; empty without an analysis. */
  vectors: readonly Buffer[];
  /** The embedding model of the vectors. */
  model: string | null;
}

/** The beginning of a long work says what it is about; all of its chunks would make a load take minutes. */
const CHUNKS_OF_ITEM = 16;

const ITEM = `
  i.id, i.type, i.author, i.published_at as "publishedAt", i.properties, i.available, i.deleted, i.status,
  s.summary ->> 'age_rating' as "ageRating",
  array(select jsonb_array_elements_text(coalesce(nullif(s.summary -> 'topics', 'null'), '[]'))) as topics,
  array(select jsonb_array_elements_text(coalesce(nullif(s.summary -> 'tags', 'null'), '[]'))) as tags`;

type ChangeRow = Omit<CatalogueChange, 'position'> & { micros: string; hash: string };

/**
 * The next changes after a position, ascending, deleted items included. It ends before whatever may still be committed
 * (db/items/list.ts tells why that takes two statements).
 */
export async function readCatalogueChanges(
  pool: pg.Pool,
  projectId: string,
  after: ItemPosition | null,
  limit: number,
): Promise<CatalogueChange[]> {
  const horizon = await pool.query<{ horizon: string }>({
    name: 'items-horizon',
    text: 'select items_horizon()::text as horizon',
  });
  const { rows } = await pool.query<ChangeRow>({
    name: 'output-catalogue-changes',
    text: `
      with changed as materialized (
        select * from items i
         where project_id = $1 and updated_at < $2::timestamptz
           and (updated_at, hashtextextended(id, 0)) > (coalesce('epoch'::timestamptz + $3::bigint * interval '1 microsecond', '-infinity'), coalesce($4::bigint, 0))
         order by updated_at, hashtextextended(id, 0) limit $5)
      select ${ITEM}, v.vectors, v.model,
             (extract(epoch from i.updated_at) * 1000000)::bigint as micros, hashtextextended(i.id, 0) as hash
        from changed i ${JOIN_RESULTS}
       cross join lateral (
         select coalesce(array_agg(f.vector order by f.ordinal), '{}') as vectors, min(f.model) as model
           from (select c.vector, c.model, c.ordinal from item_chunks c
                  where c.project_id = i.project_id and c.item_id = i.id and ${IS_CHUNK_CURRENT}
                  order by c.ordinal limit ${CHUNKS_OF_ITEM}) f) v
       order by i.updated_at, hashtextextended(i.id, 0)`,
    values: [projectId, horizon.rows[0]?.horizon, after?.micros, after?.hash, limit],
  });
  return rows.map(({ micros, hash, ...item }) => ({
    ...item,
    position: { micros: BigInt(micros), hash: BigInt(hash) },
  }));
}

/** The items as they are now; those that the project does not have are missing. */
export async function readCatalogueItems(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, CatalogueItem>> {
  const { rows } = await pool.query<CatalogueItem>({
    name: 'output-items',
    text: `select ${ITEM} from items i ${JOIN_RESULTS} where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return new Map(rows.map((item) => [item.id, item]));
}

/** The catalogue as the selection process follows it: every change of a project's items, in order, without gaps. */
import type pg from 'pg';
import type { AgeRating } from '../../domain/output/mayShow.ts';
import type { ItemVector, PictureVector } from '../../domain/output/vectors.ts';
import type { ItemStatus, ItemType } from '../../domain/analysis/steps.ts';
import { JOIN_RESULTS } from '../currentResults.ts';
import type { ItemPosition } from '../items/list.ts';
import type { Queryable } from '../pool.ts';
import {
  JOIN_PICTURES,
  JOIN_VECTORS,
  PICTURES,
  itemVectorOf,
  pictureVectorsOf,
  type PicturesRow,
  type VectorRow,
} from './itemVectors.ts';

/** The data of an item that recommendations use. */
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
  /** Computed from the item's first search chunks; null without an analysis. */
  placed: ItemVector | null;
  /** The vectors of its pictures, of a model that embeds text in the same space. */
  pictures?: readonly PictureVector[];
}

const ITEM = `
  i.id, i.type, i.author, i.published_at as "publishedAt", i.properties, i.available, i.deleted, i.status,
  s.summary ->> 'age_rating' as "ageRating",
  array(select jsonb_array_elements_text(coalesce(nullif(s.summary -> 'topics', 'null'), '[]'))) as topics,
  array(select jsonb_array_elements_text(coalesce(nullif(s.summary -> 'tags', 'null'), '[]'))) as tags`;

type ChangeRow = CatalogueItem & VectorRow & PicturesRow & { micros: string; hash: string };

export interface ChangesQuery {
  /** Null means from the beginning. */
  after: ItemPosition | null;
  /** A horizon (db/items/list.ts) that was read earlier. */
  before: string;
  limit: number;
}

/**
 * Returns the next changes, ascending, including deleted items. They end before any change that may still be committed.
 */
export async function readCatalogueChanges(
  pool: pg.Pool,
  projectId: string,
  { after, before, limit }: ChangesQuery,
): Promise<CatalogueChange[]> {
  const { rows } = await pool.query<ChangeRow>({
    name: 'output-catalogue-changes',
    text: `
      with changed as materialized (
        select * from items i
         where project_id = $1 and updated_at < $2::timestamptz
           and (updated_at, hashtextextended(id, 0)) > (coalesce('epoch'::timestamptz + $3::bigint * interval '1 microsecond', '-infinity'), coalesce($4::bigint, 0))
         order by updated_at, hashtextextended(id, 0) limit $5)
      select ${ITEM}, v.vectors, v.chunks, v.model, ${PICTURES},
             (extract(epoch from i.updated_at) * 1000000)::bigint as micros, hashtextextended(i.id, 0) as hash
        from changed i ${JOIN_RESULTS} ${JOIN_VECTORS} ${JOIN_PICTURES}
       order by i.updated_at, hashtextextended(i.id, 0)`,
    values: [projectId, before, after?.micros, after?.hash, limit],
  });
  return rows.map(changeOf);
}

function changeOf({
  micros,
  hash,
  vectors,
  chunks,
  model,
  pictureVectors,
  pictureCount,
  pictureModel,
  ...item
}: ChangeRow): CatalogueChange {
  return {
    ...item,
    placed: itemVectorOf({ vectors, chunks, model }),
    pictures: pictureVectorsOf({ pictureVectors, pictureCount, pictureModel }),
    position: { micros: BigInt(micros), hash: BigInt(hash) },
  };
}

/** Returns the present state of these items; those that the project does not have are missing. */
export async function readChangesOf(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<CatalogueChange[]> {
  const { rows } = await pool.query<ChangeRow>({
    name: 'output-catalogue-changes-of',
    text: `select ${ITEM}, v.vectors, v.chunks, v.model, ${PICTURES},
                  (extract(epoch from i.updated_at) * 1000000)::bigint as micros, hashtextextended(i.id, 0) as hash
             from items i ${JOIN_RESULTS} ${JOIN_VECTORS} ${JOIN_PICTURES} where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return rows.map(changeOf);
}

/** Returns the id and time of each change after a position; changes before them may still be committed. */
export async function listChangesAfter(
  pool: Queryable,
  projectId: string,
  after: ItemPosition | null,
  limit: number,
): Promise<{ id: string; micros: number }[]> {
  const { rows } = await pool.query<{ id: string; micros: string }>({
    name: 'output-changes-after',
    text: `select id, (extract(epoch from updated_at) * 1000000)::bigint as micros from items
            where project_id = $1
              and (updated_at, hashtextextended(id, 0)) > (coalesce('epoch'::timestamptz + $2::bigint * interval '1 microsecond', '-infinity'), coalesce($3::bigint, 0))
            order by updated_at, hashtextextended(id, 0) limit $4`,
    values: [projectId, after?.micros, after?.hash, limit],
  });
  return rows.map(({ id, micros }) => ({ id, micros: Number(micros) }));
}

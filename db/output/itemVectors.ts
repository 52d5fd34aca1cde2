/** The positions of items relative to each other: one vector per item, computed from those of its search chunks. */
import { itemVector, type ItemVector, type PictureVector } from '../../domain/output/vectors.ts';
import { IS_CHUNK_CURRENT, IS_PICTURE_CURRENT } from '../currentResults.ts';
import type { Queryable } from '../pool.ts';

/** The beginning of a long work shows its topic; loading all chunks of all items would take minutes. */
export const CHUNKS_OF_ITEM = 16;

export interface VectorRow {
  /** The concatenated vectors; the driver would read an array character by character. Null without an analysis. */
  vectors: Buffer | null;
  chunks: number;
  /** The embedding model of the vectors. */
  model: string | null;
}

/** Joins the vectors `v` of the item `i`, a {@link VectorRow}. */
export const JOIN_VECTORS = `
  cross join lateral (
    select string_agg(f.vector, ''::bytea order by f.ordinal) as vectors, count(*)::int as chunks, min(f.model) as model
      from (select c.vector, c.model, c.ordinal from item_chunks c
             where c.project_id = i.project_id and c.item_id = i.id and octet_length(c.vector) > 0 and ${IS_CHUNK_CURRENT}
             order by c.ordinal limit ${CHUNKS_OF_ITEM}) f) v`;

/** Joins the vectors `pv` of the pictures of the item `i`, a {@link PicturesRow}. */
export const JOIN_PICTURES = `
  cross join lateral (
    select string_agg(p.vector, ''::bytea order by p.ordinal) as vectors, count(*)::int as count, min(p.model) as model
      from item_picture_vectors p
     where p.project_id = i.project_id and p.item_id = i.id and ${IS_PICTURE_CURRENT}) pv`;

/** The columns of {@link JOIN_PICTURES}. */
export const PICTURES = `pv.vectors as "pictureVectors", pv.count as "pictureCount", pv.model as "pictureModel"`;

export interface PicturesRow {
  pictureVectors: Buffer | null;
  pictureCount: number;
  pictureModel: string | null;
}

export function pictureVectorsOf({ pictureVectors, pictureCount, pictureModel: model }: PicturesRow): PictureVector[] {
  if (pictureVectors === null || model === null) return [];
  return vectorsOf(pictureVectors, pictureCount).flatMap((vector, ordinal) => {
    const scaled = itemVector([vector]);
    return scaled ? [{ ...scaled, model, ordinal }] : [];
  });
}

/** Returns the vector of an item; null without an analysis. */
export function itemVectorOf({ vectors, chunks, model }: VectorRow): ItemVector | null {
  if (vectors === null || model === null) return null;
  const vector = itemVector(vectorsOf(vectors, chunks));
  return vector && { ...vector, model };
}

/** Returns an empty list when the vectors are not all of the same size. */
function vectorsOf(bytes: Buffer, count: number): Float32Array[] {
  const numbers = asNumbers(bytes);
  const dimension = numbers.length / count;
  if (!Number.isInteger(dimension)) return [];
  return Array.from({ length: count }, (_, at) => numbers.subarray(at * dimension, (at + 1) * dimension));
}

/** Returns vectors by item id; items without a vector are missing. */
export async function readItemVectors(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, ItemVector>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<VectorRow & { id: string }>({
    name: 'output-item-vectors',
    text: `select i.id, v.vectors, v.chunks, v.model from items i ${JOIN_VECTORS} where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return new Map(
    rows.flatMap(({ id, ...row }) => {
      const vector = itemVectorOf(row);
      return vector ? [[id, vector]] : [];
    }),
  );
}

/** The bytes of a driver's buffer may begin at any offset; numbers have to begin at multiples of four. */
function asNumbers(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

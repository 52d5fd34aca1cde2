/** Where items stand among each other: one vector for each, made of those of its search chunks. */
import { itemVector, type PlacedItem } from '../../domain/output/vectors.ts';
import { IS_CHUNK_CURRENT } from '../items/currentResults.ts';
import type { Queryable } from '../pool.ts';

/** The beginning of a long work says what it is about; all of its chunks would make a load take minutes. */
const CHUNKS_OF_ITEM = 16;

export interface VectorRow {
  /** One after the other: as an array the driver would read them character by character. Null without an analysis. */
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
             where c.project_id = i.project_id and c.item_id = i.id and ${IS_CHUNK_CURRENT}
             order by c.ordinal limit ${CHUNKS_OF_ITEM}) f) v`;

/** Null for an item without an analysis. */
export function placedOf({ vectors, chunks, model }: VectorRow): PlacedItem | null {
  if (vectors === null || model === null) return null;
  const numbers = asNumbers(vectors);
  const dimension = numbers.length / chunks;
  if (!Number.isInteger(dimension)) return null;
  const placed = itemVector(
    Array.from({ length: chunks }, (_, at) => numbers.subarray(at * dimension, (at + 1) * dimension)),
  );
  return placed && { ...placed, model };
}

/** By id; items without a vector are missing. */
export async function readItemVectors(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, PlacedItem>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<VectorRow & { id: string }>({
    name: 'output-item-vectors',
    text: `select i.id, v.vectors, v.chunks, v.model from items i ${JOIN_VECTORS} where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return new Map(
    rows.flatMap(({ id, ...row }) => {
      const placed = placedOf(row);
      return placed ? [[id, placed]] : [];
    }),
  );
}

/** The bytes of a driver's buffer may begin anywhere; numbers have to begin at multiples of four. */
function asNumbers(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

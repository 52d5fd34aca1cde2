/** Stores the search chunks of items with their vectors. */
import type pg from 'pg';
import type { ItemRef } from '../../../domain/items/item.ts';
import { itemVector } from '../../../domain/output/vectors.ts';
import { together } from '../../pool.ts';
import { storable } from './storable.ts';

export interface ChunkRow {
  mediumId: string | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
  /** Null where the vector of an earlier chunk covers the text; stored as an empty `bytea`. */
  vector: Float32Array | null;
  /** For a frame that shares one vector with others: the vector of its own text. */
  frameVector?: Float32Array | null;
}

const NO_VECTOR = Buffer.alloc(0);

/** Replaces every search chunk of an item. */
export async function replaceChunks(
  client: pg.PoolClient,
  ref: ItemRef,
  chunks: readonly ChunkRow[],
  model: string,
): Promise<void> {
  await together([deleteChunks(client, ref), ...(chunks.length > 0 ? [insertChunks(client, ref, chunks, model)] : [])]);
}

async function deleteChunks(client: pg.PoolClient, ref: ItemRef): Promise<void> {
  await client.query({
    name: 'chunks-delete',
    text: 'delete from item_chunks where project_id = $1 and item_id = $2',
    values: [ref.projectId, ref.itemId],
  });
}

async function insertChunks(
  client: pg.PoolClient,
  ref: ItemRef,
  chunks: readonly ChunkRow[],
  model: string,
): Promise<void> {
  await client.query({
    name: 'chunks-insert',
    text: `insert into item_chunks (project_id, item_id, ordinal, medium_id, start_sec, end_sec, text, vector, frame_vector, model)
           select $1, $2, c.*, $10 from unnest($3::int[], $4::uuid[], $5::float8[], $6::float8[], $7::text[], $8::bytea[], $9::bytea[]) as c`,
    values: [
      ref.projectId,
      ref.itemId,
      chunks.map((_, ordinal) => ordinal),
      chunks.map((chunk) => chunk.mediumId),
      chunks.map((chunk) => chunk.startSec),
      chunks.map((chunk) => chunk.endSec),
      chunks.map((chunk) => storable(chunk.text)),
      chunks.map(({ vector }) =>
        vector === null ? NO_VECTOR : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
      ),
      // Stored with eight bits per number, as searches compare vectors; null for a vector of zeros, which has no
      // direction.
      chunks.map(({ frameVector }) => {
        const direction = frameVector && itemVector([frameVector]);
        return direction && Buffer.from(direction.vector);
      }),
      model,
    ],
  });
}

/** The vectors of an item's pictures. */
import type pg from 'pg';
import type { ItemRef } from '../../../domain/items/item.ts';
import { storable } from './storable.ts';

export interface PictureVectorRow {
  mediumId: string;
  /** Seconds from the start of the medium; 0 for an image. */
  ts: number;
  vector: Float32Array;
}

/** Replaces all picture vectors of an item. */
export async function replacePictureVectors(
  client: pg.PoolClient,
  ref: ItemRef,
  pictures: readonly PictureVectorRow[],
  model: string,
): Promise<void> {
  await client.query({
    name: 'picture-vectors-delete',
    text: 'delete from item_picture_vectors where project_id = $1 and item_id = $2',
    values: [ref.projectId, ref.itemId],
  });
  if (pictures.length === 0) return;
  await client.query({
    name: 'picture-vectors-insert',
    text: `insert into item_picture_vectors (project_id, item_id, ordinal, medium_id, ts, vector, model)
           select $1, $2, p.*, $7 from unnest($3::int[], $4::uuid[], $5::float8[], $6::bytea[]) as p`,
    values: [
      ref.projectId,
      ref.itemId,
      pictures.map((_, ordinal) => ordinal),
      pictures.map(({ mediumId }) => mediumId),
      pictures.map(({ ts }) => ts),
      pictures.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
      storable(model),
    ],
  });
}

/** The moments of media with their vectors, to find the one that a query means. */
import { storedVector, type ItemVector } from '../../domain/output/vectors.ts';
import { IS_CHUNK_CURRENT, IS_SUMMARY_CURRENT } from '../currentResults.ts';
import { CHUNKS_OF_ITEM, itemVectorOf, type VectorRow } from '../output/itemVectors.ts';
import type { Queryable } from '../pool.ts';
import { CHAPTER, type ChunkText } from './excerpts.ts';

/** A chunk of what a medium says or shows, with its vector. */
export interface MomentVector extends ChunkText {
  itemId: string;
  mediumId: string;
  mediaPosition: number;
  /** True for the first of several frames that share the vector; {@link readFrameVectors} tells them apart. */
  isShared: boolean;
  vector: ItemVector;
}

type Moment = Omit<MomentVector, 'vector'>;
type MomentRow = Moment & Pick<VectorRow, 'vectors' | 'model'>;

/** The columns of {@link Moment}, after {@link JOINED}. */
const MOMENT = `
  i.id as "itemId", c.medium_id as "mediumId", m.position as "mediaPosition", c.start_sec as "startSec", c.end_sec as "endSec",
  c.text, ${CHAPTER} as chapter, c.frame_vector is not null as "isShared", c.model`;

/** Joins the medium `m` of the chunk `c`, and the summary `s` of its item `i`. */
const JOINED = `
  join item_media m on m.project_id = i.project_id and m.item_id = i.id and m.medium_id = c.medium_id
  left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id and ${IS_SUMMARY_CURRENT}`;

/**
 * Reads the moments among the chunks from which an item's vector is made, because the search found the item by that
 * vector.
 * @param model the model of the query's vector; chunks of other models cannot be compared
 */
export async function readMomentVectors(
  pool: Queryable,
  projectId: string,
  { ids, model }: { ids: readonly string[]; model: string },
): Promise<MomentVector[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<MomentRow>({
    name: 'search-moment-vectors',
    text: `select ${MOMENT}, c.vector as vectors
             from items i
             cross join lateral (
               select c.* from item_chunks c
                where c.project_id = i.project_id and c.item_id = i.id and octet_length(c.vector) > 0 and ${IS_CHUNK_CURRENT}
                order by c.ordinal limit ${CHUNKS_OF_ITEM}) c
             ${JOINED}
            where i.project_id = $1 and i.id = any($2::text[]) and c.model = $3
            order by c.ordinal`,
    values: [projectId, ids, model],
  });
  return rows.flatMap(({ vectors, model: own, ...moment }) => {
    const vector = itemVectorOf({ vectors, chunks: 1, model: own });
    return vector ? [{ ...moment, vector }] : [];
  });
}

/** Reads the frames of media, each with the vector of its own text. Items analysed by earlier releases have none. */
export async function readFrameVectors(
  pool: Queryable,
  projectId: string,
  { media, model }: { media: readonly Pick<MomentVector, 'itemId' | 'mediumId'>[]; model: string },
): Promise<MomentVector[]> {
  if (media.length === 0) return [];
  const { rows } = await pool.query<Moment & { vector: Buffer }>({
    name: 'search-frame-vectors',
    text: `select ${MOMENT}, c.frame_vector as vector
             from unnest($2::text[], $3::uuid[]) as w (id, medium_id)
             join items i on i.project_id = $1 and i.id = w.id
             join item_chunks c on c.project_id = i.project_id and c.item_id = i.id and c.medium_id = w.medium_id
                  and c.frame_vector is not null and ${IS_CHUNK_CURRENT}
             ${JOINED}
            where c.model = $4
            order by c.ordinal`,
    values: [projectId, media.map(({ itemId }) => itemId), media.map(({ mediumId }) => mediumId), model],
  });
  return rows.map(({ vector, ...frame }) => ({ ...frame, vector: storedVector(Int8Array.from(vector), model) }));
}

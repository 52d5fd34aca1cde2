/** The moments of media with their vectors, to find the one that a query means. */
import type { ItemVector } from '../../domain/output/vectors.ts';
import { IS_CHUNK_CURRENT, IS_SUMMARY_CURRENT } from '../currentResults.ts';
import { CHUNKS_OF_ITEM, itemVectorOf, type VectorRow } from '../output/itemVectors.ts';
import type { Queryable } from '../pool.ts';
import { CHAPTER, type ChunkText } from './excerpts.ts';

/** A chunk of what a medium says or shows, with its vector. */
export interface MomentVector extends ChunkText {
  itemId: string;
  mediaPosition: number;
  placed: ItemVector;
}

type MomentRow = Omit<MomentVector, 'placed'> & Pick<VectorRow, 'vectors' | 'model'>;

/**
 * Reads the moments among the chunks that an item's vector is made of: by them it was found.
 * @param model of the query's vector; chunks of other models cannot be compared
 */
export async function readPlacedMoments(
  pool: Queryable,
  projectId: string,
  { ids, model }: { ids: readonly string[]; model: string },
): Promise<MomentVector[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<MomentRow>({
    name: 'search-moment-vectors',
    text: `select i.id as "itemId", m.position as "mediaPosition", c.start_sec as "startSec", c.end_sec as "endSec",
                  c.text, ${CHAPTER} as chapter, c.vector as vectors, c.model
             from items i
             left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id and ${IS_SUMMARY_CURRENT}
             cross join lateral (
               select c.* from item_chunks c
                where c.project_id = i.project_id and c.item_id = i.id and octet_length(c.vector) > 0 and ${IS_CHUNK_CURRENT}
                order by c.ordinal limit ${CHUNKS_OF_ITEM}) c
             join item_media m on m.project_id = i.project_id and m.item_id = i.id and m.medium_id = c.medium_id
            where i.project_id = $1 and i.id = any($2::text[]) and c.model = $3
            order by c.ordinal`,
    values: [projectId, ids, model],
  });
  return rows.flatMap(({ vectors, model: own, ...moment }) => {
    const placed = itemVectorOf({ vectors, chunks: 1, model: own });
    return placed ? [{ ...moment, placed }] : [];
  });
}

/** Texts of the items of one page that an answer shows. */
import { IS_CHUNK_CURRENT, IS_PICTURE_CURRENT, IS_SUMMARY_CURRENT, JOIN_RESULTS } from '../analysis/currentResults.ts';
import type { Queryable } from '../pool.ts';

export interface ItemTexts {
  id: string;
  title: string | null;
  summary: string | null;
  tags: string[] | null;
  description: string | null;
}

export interface ChunkText {
  itemId: string;
  /** Null for a chunk of the item's own text. */
  mediaPosition: number | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
  /** The title of the chapter in which it begins. */
  chapter: string | null;
}

/** A picture of an item, and what is known of it. */
export interface PictureText {
  itemId: string;
  mediaPosition: number;
  /** Seconds from the start of the medium; null for an image. */
  ts: number | null;
  blobKey: string;
  text: string | null;
}

/** Maximum length of a description. */
const MOST_CHARACTERS = 5_000;
/** Number of chunks of one item that are searched, and of matching chunks that are read. */
const CHUNKS_LOOKED_AT = 400;
const CHUNKS_READ = 8;

export async function readItemTexts(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, ItemTexts>> {
  const { rows } = await pool.query<ItemTexts>({
    name: 'search-item-texts',
    text: `select i.id, i.title, s.summary ->> 'summary' as summary, left(i.description, ${MOST_CHARACTERS}) as description,
                  (select array_agg(t) from jsonb_array_elements_text(nullif(s.summary -> 'tags', 'null')) t) as tags
             from items i ${JOIN_RESULTS} where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads chunks that contain one of the words. @param beginnings of words, folded: lower case, ё as е */
export async function readChunksWith(
  pool: Queryable,
  projectId: string,
  { ids, beginnings }: { ids: readonly string[]; beginnings: readonly string[] },
): Promise<ChunkText[]> {
  if (ids.length === 0 || beginnings.length === 0) return [];
  const patterns = beginnings.map((beginning) => `%${beginning.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const { rows } = await pool.query<ChunkText>({
    name: 'search-chunks',
    text: `select i.id as "itemId", m.position as "mediaPosition", c.start_sec as "startSec", c.end_sec as "endSec", c.text,
                  (select p.title from jsonb_to_recordset(coalesce(nullif(s.summary -> 'chapters', 'null'), '[]')) as p (medium_id uuid, start float8, "end" float8, title text)
                    where p.medium_id = c.medium_id and c.start_sec >= p.start and c.start_sec < p."end" limit 1) as chapter
             from items i
            cross join lateral (
              select * from (
                select c.ordinal, c.medium_id, c.start_sec, c.end_sec, c.text from item_chunks c
                 where c.project_id = i.project_id and c.item_id = i.id and ${IS_CHUNK_CURRENT}
                 order by c.ordinal limit ${CHUNKS_LOOKED_AT}) as first
               where replace(lower(first.text), 'ё', 'е') like any ($3::text[])
               order by first.ordinal limit ${CHUNKS_READ}) c
             left join item_media m on m.project_id = i.project_id and m.item_id = i.id and m.medium_id = c.medium_id
             left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id and ${IS_SUMMARY_CURRENT}
            where i.project_id = $1 and i.id = any($2::text[])
            order by i.id, c.ordinal`,
    values: [projectId, ids, patterns],
  });
  return rows;
}

/** Reads one picture of each item. @param pictures their numbers among those that have vectors, by item */
export async function readPictures(
  pool: Queryable,
  projectId: string,
  pictures: ReadonlyMap<string, number>,
): Promise<PictureText[]> {
  if (pictures.size === 0) return [];
  const { rows } = await pool.query<PictureText>({
    name: 'search-pictures',
    text: `select i.id as "itemId", m.position as "mediaPosition", case when m.kind = 'video' then f.ts end as ts,
                  f.blob_key as "blobKey", coalesce(nullif(f.ocr_text, ''), f.description) as text
             from unnest($2::text[], $3::int[]) as w (id, ordinal)
             join items i on i.project_id = $1 and i.id = w.id
             join item_picture_vectors p on p.project_id = i.project_id and p.item_id = i.id and p.ordinal = w.ordinal
                  and ${IS_PICTURE_CURRENT}
             join item_media m on m.project_id = p.project_id and m.item_id = p.item_id and m.medium_id = p.medium_id
             join item_frames f on f.project_id = p.project_id and f.item_id = p.item_id and f.medium_id = p.medium_id
                  and f.ts = p.ts`,
    values: [projectId, [...pictures.keys()], [...pictures.values()]],
  });
  return rows;
}

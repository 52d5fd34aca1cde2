/** Texts of the items of one page that an answer shows. */
import { cutText } from '../../domain/cutText.ts';
import { plainText, withoutOpenEnd } from '../../domain/items/plainText.ts';
import { IS_CHUNK_CURRENT, IS_PICTURE_CURRENT, IS_SUMMARY_CURRENT } from '../currentResults.ts';
import type { Queryable } from '../pool.ts';
import { composedText, HAS_MARKS } from './composedText.ts';
import { PICTURE_DESCRIPTION } from './documents.ts';

/** Titles and descriptions that were sent as HTML have been converted to plain text. */
export interface ItemTexts {
  title: string | null;
  summary: string | null;
  tags: readonly string[];
  description: string | null;
}

export interface ChunkText {
  /** Null for a chunk of the item's own text. */
  mediaPosition: number | null;
  startSec: number | null;
  endSec: number | null;
  text: string;
  /** The title of the chapter in which it begins. */
  chapter: string | null;
}

/** A picture of an item, and what is known about it. */
export interface PictureText {
  itemId: string;
  mediaPosition: number;
  /** Seconds from the start of the medium; null for an image. */
  ts: number | null;
  blobKey: string;
  /** The text in the picture, else its description; null without either, as when only its colours are known. */
  text: string | null;
}

export interface ItemExcerpts {
  /** Null when texts were not requested. */
  texts: ItemTexts | null;
  /** The chunks with the most words of the query, in the order of the item. */
  chunks: readonly ChunkText[];
  hasMedia: boolean;
}

export interface ExcerptQuery {
  ids: readonly string[];
  /** True to read the texts besides the chunks. */
  texts: boolean;
  /** Regular expressions, one for each word: the chunks with the most of them are read. */
  words: readonly string[];
  /** A regular expression that matches where a chunk may have a word; null means that no chunks are read. */
  anyWord: string | null;
}

/** Maximum length of a description. */
const MAX_CHARACTERS = 5_000;
/**
 * Number of characters that are read of a description with tags. Comments and styles of word processors may be the
 * greater part of it. It bounds the work for a page of hits.
 */
const MAX_READ = 50_000;
/**
 * If the items of a page have at most this many chunks, all are searched, which takes some 15 µs each. Twenty hours of
 * speech have about 1,500. If there are more, each item gets an equal share of this number for its own text, and as
 * many for its media.
 */
const MAX_CHUNKS_SEARCHED = 10_000;
/**
 * Maximum number of chunks that are read of an item's own text, and as many of its media, so that a long text leaves
 * room for moments.
 */
const MAX_CHUNKS_READ = 8;

type PackedChunk = [
  mediaPosition: number | null,
  startSec: number | null,
  endSec: number | null,
  text: string,
  chapter: string | null,
];
type PackedItem = [id: string, texts: PackedTexts | null, chunks: PackedChunk[] | null, hasMedia: boolean];
type PackedTexts = [title: string | null, summary: string | null, tags: string[] | null, description: string | null];

const DESCRIPTION = `
  left(i.description, case when strpos(left(i.description, ${MAX_CHARACTERS}), '<') > 0 then ${MAX_READ} else ${MAX_CHARACTERS} end)`;
const TEXTS = `json_build_array(i.title, s.summary -> 'summary', s.summary -> 'tags', ${DESCRIPTION})`;
/** SQL of the title of the chapter of the summary `s` in which the chunk `c` begins. */
export const CHAPTER = `
  (select p.title from jsonb_to_recordset(coalesce(nullif(s.summary -> 'chapters', 'null'), '[]')) as p (medium_id uuid, start float8, "end" float8, title text)
    where p.medium_id = c.medium_id and c.start_sec >= p.start and c.start_sec < p."end" limit 1)`;

/**
 * SQL of the number of chunks that are searched of each kind and item. It is 0 without a pattern: a generic plan, which
 * does not know the pattern, would look at all chunks.
 */
const SEARCHED = `
  select case when $4::text is null then 0 when sum(count) <= ${MAX_CHUNKS_SEARCHED} then ${MAX_CHUNKS_SEARCHED} else ${MAX_CHUNKS_SEARCHED} / count(*) end as chunks
    from (select (select max(c.ordinal) + 1 from item_chunks c where c.project_id = $1 and c.item_id = wanted.id) as count
            from unnest($2::text[]) as wanted (id)) of_items`;

/**
 * SQL of the chunks of the item `i` that are read, of one kind: those with the most words, the earlier ones first.
 * @param kind SQL condition on the chunk `c`
 */
const chunksOf = (kind: string): string => `(
  select looked.*
    from (select c.ordinal, c.medium_id, c.start_sec, c.end_sec, c.text from item_chunks c
           where c.project_id = i.project_id and c.item_id = i.id and ${kind} and ${IS_CHUNK_CURRENT}
           order by c.ordinal limit (select chunks from searched)) looked
   cross join lateral (select ${composedText('looked.text')} as text offset 0) composed
   where looked.text ~* $4
   order by (select count(*) from unnest($3::text[]) as word (pattern) where composed.text ~* pattern) desc, looked.ordinal
   limit ${MAX_CHUNKS_READ})`;

const HAS_MEDIA = 'exists (select from item_media m where m.project_id = i.project_id and m.item_id = i.id)';

const statementOf = (texts: boolean): string => `
  with searched as materialized (${SEARCHED})
  select json_agg(json_build_array(i.id, ${texts ? TEXTS : 'null'}, (
           select json_agg(json_build_array(m.position, c.start_sec, c.end_sec, c.text, ${CHAPTER}) order by c.ordinal)
             from (${chunksOf('c.medium_id is null')} union all ${chunksOf(`c.medium_id is not null and ${HAS_MEDIA}`)}) c
             left join item_media m on m.project_id = i.project_id and m.item_id = i.id and m.medium_id = c.medium_id),
           ${HAS_MEDIA})) as items
    from items i
    left join item_summaries s on s.project_id = i.project_id and s.item_id = i.id and ${IS_SUMMARY_CURRENT}
   where i.project_id = $1 and i.id = any($2::text[])`;

/**
 * Reads texts and chunks by item, in one statement whose result is packed as JSON: a statement or a row costs the
 * driver more time than PostgreSQL needs to find the texts.
 */
export async function readItemExcerpts(
  pool: Queryable,
  projectId: string,
  { ids, texts, words, anyWord }: ExcerptQuery,
): Promise<Map<string, ItemExcerpts>> {
  const { rows } = await pool.query<{ items: PackedItem[] | null }>({
    name: texts ? 'search-excerpts' : 'search-chunks',
    text: statementOf(texts),
    values: [projectId, ids, words, anyWord === null ? null : `${anyWord}|${HAS_MARKS}`],
  });
  return new Map((rows[0]?.items ?? []).map(([id, ...item]) => [id, unpack(...item)]));
}

function unpack(texts: PackedTexts | null, chunks: readonly PackedChunk[] | null, hasMedia: boolean): ItemExcerpts {
  return {
    hasMedia,
    texts: texts && textsOf(texts),
    chunks: (chunks ?? []).map(([mediaPosition, startSec, endSec, text, chapter]) => ({
      mediaPosition,
      startSec,
      endSec,
      text,
      chapter,
    })),
  };
}

function textsOf([title, summary, tags, description]: PackedTexts): ItemTexts {
  return {
    title: title && plainText(title),
    summary,
    tags: tags ?? [],
    description: description && plainDescription(description),
  };
}

/** @param read the description, or its beginning */
function plainDescription(read: string): string {
  const isCut = read.length >= MAX_READ;
  return cutText(plainText(isCut ? withoutOpenEnd(read) : read).trim(), MAX_CHARACTERS);
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
                  f.blob_key as "blobKey", coalesce(nullif(f.ocr_text, ''), ${PICTURE_DESCRIPTION}) as text
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

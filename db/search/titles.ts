/** Items by the words of their titles, the fallback of search (migrations/0080_items_by_title_words.sql). */
import { JOIN_RESULTS } from '../currentResults.ts';
import type { ListWanted } from '../../domain/output/listWanted.ts';
import { INLINE } from '../../domain/items/plainText.ts';
import type { Queryable } from '../pool.ts';
import { composedText } from './composedText.ts';

/**
 * Maximum number of titles with the words that are looked at, and of those that pass the filters: neither a common word
 * nor one with a rare author may cost a scan of all titles.
 */
const LOOKED_AT = 20_000;
const SORTED = 2_000;

export interface FoundTitle {
  id: string;
  title: string;
  publishedAt: Date;
  /** Number of distinct words by which the title is indexed. */
  words: number;
}

/**
 * Returns items whose title has all words of a text, the latest publications first; none when no word is one by which
 * titles are indexed.
 */
export async function findByTitle(
  pool: Queryable,
  projectId: string,
  { text, ...wanted }: ListWanted & { text: string },
  limit: number,
): Promise<FoundTitle[]> {
  const { rows } = await pool.query<FoundTitle>({
    name: 'search-titles',
    text: `
      with asked as materialized (select title_words($1, $2) as wanted),
           found as materialized (
             select i.id, i.published_at, i.title from (
               select id, published_at, title, type, author from items
                where title_words(project_id, title) @> (select wanted from asked) and cardinality((select wanted from asked)) > 0
                  and project_id = $1 and available and not deleted and status <> 'failed'
                limit ${LOOKED_AT}) i
              where ($4::text[] is null or i.type = any($4)) and ($5::text[] is null or i.author = any($5))
                and i.published_at >= coalesce($6::timestamptz, '-infinity') and i.published_at < coalesce($7::timestamptz, 'infinity')
              limit ${SORTED})
      select id, title, published_at as "publishedAt", cardinality(title_words($1, title)) as words
        from found order by published_at desc, id limit $3`,
    values: [projectId, text, limit, wanted.types, wanted.authors, wanted.publishedAfter, wanted.publishedBefore],
  });
  return rows;
}

/** Returns those of the plain titles with which {@link findByTitle} would find the title as it was sent. */
export async function findableTitles(
  pool: Queryable,
  projectId: string,
  titles: readonly { sent: string; plain: string }[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ plain: string }>({
    name: 'search-findable-titles',
    text: `select plain from unnest($2::text[], $3::text[]) as t (sent, plain)
            where title_words($1, sent) @> title_words($1, plain) and cardinality(title_words($1, plain)) > 0`,
    values: [projectId, titles.map(({ sent }) => sent), titles.map(({ plain }) => plain)],
  });
  return new Set(rows.map(({ plain }) => plain));
}

/** Maximum size of the texts that one statement looks through, in bytes: half a second's work. */
const MAX_BYTES = 50_000_000;

/**
 * A pattern for texts in which HTML may hide a word: tags, comments or silent characters within it, or letters by
 * number or name. Tags and references between words are in most texts, and hide nothing.
 */
const HIDES_WORDS = [
  '&#',
  '&[a-z]{1,5}cy;',
  '&(shy|zwj|zwnj|zerowidthspace)',
  '[[:alnum:]]<(!--|script|style|template)',
  `[[:alnum:]](</?(${[...INLINE].join('|')})([[:space:]/][^<>]*)?>)+[[:alnum:]]`,
].join('|');

/**
 * Returns those of the items that may contain a word, in any of the texts that search indexes; texts in which HTML may
 * hide words may contain any. Texts are read in the order of `ids` up to {@link MAX_BYTES}; the items after that are
 * returned unread.
 * @param pattern regular expression for the words in any case
 */
export async function idsThatMayMatch(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
  pattern: string,
): Promise<Set<string>> {
  // An array has its texts whole; a column would be read from its storage each time that it is named.
  const has = (...texts: string[]): string =>
    `exists (select from unnest(array[${texts.join(', ')}]) as told (text) where (${composedText('told.text')}) ~* $3)`;
  const hasOrHides = (...texts: string[]): string =>
    `exists (select from unnest(array[${texts.join(', ')}]) as told (text) where (${composedText('told.text')}) ~* $3 or told.text ~* '${HIDES_WORDS}')`;
  const sizeOf = (...texts: string[]): string => texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ');
  const sumOf = (table: string, ...texts: string[]): string =>
    `coalesce((select sum(${sizeOf(...texts)}) from ${table} t where t.project_id = i.project_id and t.item_id = i.id), 0)`;
  // JSON writes the ends of lines, and backslashes, as escapes, which would be part of the next word.
  const summary = `regexp_replace(s.summary::text, '\\\\(u[0-9a-f]{4}|.)', ' ', 'g')`;
  const { rows } = await pool.query<{ id: string }>({
    name: 'search-ids-that-may-match',
    text: `
      with sized as materialized (
        select i.id, sum(${sizeOf('i.body', 'i.description')} + ${sumOf('item_transcripts', 't.text')} + ${sumOf('item_frames', 't.description', 't.ocr_text')})
                       over (order by w.ordinal) as bytes
          from unnest($2::text[]) with ordinality as w (id, ordinal) join items i on i.project_id = $1 and i.id = w.id)
      select i.id from sized join items i on i.project_id = $1 and i.id = sized.id ${JOIN_RESULTS}
       where case when sized.bytes > ${MAX_BYTES} then true
                  else ${has('i.author', summary)} or ${hasOrHides('i.title', 'i.description')} or ${hasOrHides('i.body')}
                       or exists (select 1 from item_transcripts t
                                   where t.project_id = i.project_id and t.item_id = i.id and ${has('t.text')})
                       or exists (select 1 from item_frames f where f.project_id = i.project_id and f.item_id = i.id
                                     and ${has('f.description', 'f.ocr_text')}) end`,
    values: [projectId, ids, pattern],
  });
  return new Set(rows.map(({ id }) => id));
}

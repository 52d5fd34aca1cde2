/** Finds the items whose texts may contain a word, without an index: the check of unwanted words. */
import { JOIN_RESULTS } from '../currentResults.ts';
import { INLINE } from '../../domain/items/plainText.ts';
import type { Queryable } from '../pool.ts';
import { composedText } from './composedText.ts';

/** Maximum size of the texts that one statement looks through, in bytes: half a second's work. */
const MAX_BYTES = 50_000_000;

/**
 * A pattern for texts in which HTML may hide a word. The word may contain tags, comments or invisible characters, or
 * letters may be written as character references (`&#1103;`, `&yacy;`). Tags and references between words are in most
 * texts, and hide nothing.
 */
const HIDES_WORDS = [
  '&#',
  '&[a-z]{1,5}cy;',
  '&(shy|zwj|zwnj|zerowidthspace)',
  '[[:alnum:]]<(!--|script|style|template)',
  `[[:alnum:]](</?(${[...INLINE].join('|')})([[:space:]/][^<>]*)?>)+[[:alnum:]]`,
].join('|');

/**
 * Returns those of the items that may contain one of the words in any of the texts that search indexes. An item with a
 * text in which HTML may hide words is always returned. Texts are read in the order of `ids` up to {@link MAX_BYTES};
 * the items after that are returned unread.
 * @param pattern regular expression for the words; upper and lower case count as the same
 */
export async function idsThatMayMatch(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
  pattern: string,
): Promise<Set<string>> {
  // The array holds each text in full. A column would be read from storage wherever the expression repeats it.
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

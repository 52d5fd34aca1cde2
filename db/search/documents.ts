/** The text of items that search indexes. */
import { plainText } from '../../domain/items/plainText.ts';
import { JOIN_RESULTS } from '../currentResults.ts';
import { MAY_BE_SHOWN } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

/** Texts that were sent as HTML are plain text here. */
export interface SearchDocument {
  id: string;
  /** The item's last change, microseconds since 1970. */
  micros: number;
  /** True when the item may be shown to somebody; otherwise no other field is read. */
  isEligible: boolean;
  title: string | null;
  author: string | null;
  tags: readonly string[];
  topics: readonly string[];
  /** Names of people, places and other entities. */
  entities: readonly string[];
  summary: string | null;
  /** Titles of chapters, and the item's own texts. */
  texts: readonly string[];
  /** One text for each recording. */
  speech: readonly string[];
  /** Descriptions of pictures, with the text in them. */
  pictures: readonly string[];
}

/** Maximum length of all speech of an item, the same as that of its body: some twenty hours. */
const MAX_SPEECH = 1_000_000;

const listOf = (name: string): string =>
  `array(select jsonb_array_elements_text(coalesce(nullif(s.summary -> '${name}', 'null'), '[]')))`;

/**
 * SQL of the description of the picture `f`, null for one by the built-in provider: it names colours, for which nobody
 * searches.
 */
export const PICTURE_DESCRIPTION = `case when f.provenance ->> 'provider' <> 'builtin' then f.description end`;

const IS_ELIGIBLE = `(i.available and not i.deleted and i.${MAY_BE_SHOWN})`;

/** Returns documents by id, unordered; items that the project does not have are missing. */
export async function readSearchDocuments(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<Omit<SearchDocument, 'micros'> & { micros: string }>({
    name: 'search-documents',
    text: `
      select i.id, (extract(epoch from i.updated_at) * 1000000)::bigint as micros, ${IS_ELIGIBLE} as "isEligible",
             i.title, i.author, ${listOf('tags')} as tags, ${listOf('topics')} as topics,
             array(select e ->> 'name' from jsonb_array_elements(coalesce(nullif(s.summary -> 'entities', 'null'), '[]')) e
                    where e ->> 'name' is not null) as entities,
             s.summary ->> 'summary' as summary,
             case when ${IS_ELIGIBLE} then
               array(select c.title from jsonb_to_recordset(coalesce(nullif(s.summary -> 'chapters', 'null'), '[]')) as c (title text) where c.title is not null)
               || array_remove(array[i.description, i.body], null)
             else '{}' end as texts,
             case when ${IS_ELIGIBLE} then
               array(select left(t.text, (${MAX_SPEECH} - t.before)::int)
                       from (select t.text, m.position, sum(length(t.text)) over (order by m.position) - length(t.text) as before
                               from item_transcripts t join item_media m using (project_id, item_id, medium_id)
                              where t.project_id = i.project_id and t.item_id = i.id and m.speech = 'done') t
                      where t.before < ${MAX_SPEECH} order by t.position)
             else '{}' end as speech,
             case when ${IS_ELIGIBLE} then
               array(select concat_ws(E'\\n', ${PICTURE_DESCRIPTION}, f.ocr_text)
                          from item_frames f join item_media m using (project_id, item_id, medium_id)
                         where f.project_id = i.project_id and f.item_id = i.id and m.vision = 'done' and f.description is not null
                         order by m.position, f.ts)
             else '{}' end as pictures
        from items i ${JOIN_RESULTS}
       where i.project_id = $1 and i.id = any($2::text[])`,
    values: [projectId, ids],
  });
  return rows.map(({ micros, title, texts, ...row }) => ({
    ...row,
    micros: Number(micros),
    title: title && plainText(title),
    texts: texts.map(plainText),
  }));
}

/** Items by the words of their titles, the fallback of search (migrations/0080_items_by_title_words.sql). */
import type { Queryable } from '../pool.ts';

export interface TitleWords {
  /** A query: all of these words are in the title. */
  wanted: string;
  /** A query: none of these words is in the title. */
  unwanted: string;
}

/** Maximum number of titles searched: a common word must not cost a scan of all titles. */
const LOOKED_AT = 2_000;

/** Returns items, the latest publications first; none when no wanted word is one by which titles are indexed. */
export async function findByTitle(
  pool: Queryable,
  projectId: string,
  { wanted, unwanted }: TitleWords,
  limit: number,
): Promise<{ id: string; publishedAt: Date; words: number }[]> {
  const { rows } = await pool.query<{ id: string; publishedAt: Date; words: number }>({
    name: 'search-titles',
    text: `
      with asked as materialized (select title_words($1, $2) as wanted, title_words($1, $3) as unwanted),
           found as materialized (
             select i.id, i.published_at, i.title from items i
              where title_words(i.project_id, i.title) @> (select wanted from asked) and cardinality((select wanted from asked)) > 0
                and i.project_id = $1 and i.available and not i.deleted and i.status <> 'failed'
              limit ${LOOKED_AT})
      select id, published_at as "publishedAt", cardinality(title_words($1, title)) as words
        from found where not title_words($1, title) && (select unwanted from asked)
       order by published_at desc, id limit $4`,
    values: [projectId, wanted, unwanted, limit],
  });
  return rows;
}

/** Returns those of the items whose title has one of the words. */
export async function idsWithTitleWords(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
  words: string,
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'search-ids-with-title-words',
    text: `select id from items
            where project_id = $1 and id = any($2::text[]) and title_words($1, title) && title_words($1, $3)`,
    values: [projectId, ids, words],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Items by the words of their titles, the fallback of search (migrations/0080_items_by_title_words.sql). */
import type { ListFilter } from '../../domain/output/listFilter.ts';
import { MAY_BE_SHOWN } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

/** Maximum number of matching titles that are filtered: bounds the work for a common word with a rare author. */
const MAX_EXAMINED = 20_000;
/** Maximum number of filtered titles that are sorted: bounds the work for a common word alone. */
const SORTED = 2_000;

export interface TitledItem {
  id: string;
  title: string;
  publishedAt: Date;
  /** Number of distinct words by which the title is indexed. */
  words: number;
}

/**
 * Returns items whose title has all words of a text, the latest publications first; none when the text has no word by
 * which titles are indexed.
 */
export async function findItemsByTitle(
  pool: Queryable,
  projectId: string,
  { text, ...wanted }: ListFilter & { text: string },
  limit: number,
): Promise<TitledItem[]> {
  const { rows } = await pool.query<TitledItem>({
    name: 'search-titles',
    text: `
      with asked as materialized (select title_words($1, $2) as wanted),
           found as materialized (
             select i.id, i.published_at, i.title from (
               select id, published_at, title, type, author from items
                where title_words(project_id, title) @> (select wanted from asked) and cardinality((select wanted from asked)) > 0
                  and project_id = $1 and available and not deleted and ${MAY_BE_SHOWN}
                limit ${MAX_EXAMINED}) i
              where ($4::text[] is null or i.type = any($4)) and ($5::text[] is null or i.author = any($5))
                and i.published_at >= coalesce($6::timestamptz, '-infinity') and i.published_at < coalesce($7::timestamptz, 'infinity')
              limit ${SORTED})
      select id, title, published_at as "publishedAt", cardinality(title_words($1, title)) as words
        from found order by published_at desc, id limit $3`,
    values: [projectId, text, limit, wanted.types, wanted.authors, wanted.publishedAfter, wanted.publishedBefore],
  });
  return rows;
}

/**
 * Returns the plain texts of those titles that find their item: used as a query of {@link findItemsByTitle}, they match
 * the title as it was sent, possibly with markup.
 */
export async function titlesThatFindTheirItem(
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

/** The newest items, which are shown when nothing can be ranked. */
import type { ListFilter } from '../../domain/output/listFilter.ts';
import { MAY_BE_SHOWN } from '../itemStatuses.ts';
import type { Queryable } from '../pool.ts';

export interface NewestItem {
  id: string;
  publishedAt: Date;
}

/** Maximum number of items searched for a type: a rare one must not cost a scan of all items. */
const MAX_EXAMINED = 20_000;

/**
 * Returns available items that pass the filters, the latest publication first. Other rules of display are not checked.
 */
export async function listNewestItems(
  pool: Queryable,
  projectId: string,
  { types, authors, publishedAfter, publishedBefore }: ListFilter,
  limit: number,
): Promise<NewestItem[]> {
  const within = `i.project_id = $1 and i.available and not i.deleted and i.${MAY_BE_SHOWN}
    and i.published_at >= coalesce($2::timestamptz, '-infinity') and i.published_at < coalesce($3::timestamptz, 'infinity')`;
  // Each author's newest items come from an index of their own: the items of a quiet author are far down in the index
  // of all items.
  const found =
    authors === null
      ? `select id, type, published_at from items i where ${within} order by published_at desc, id limit ${MAX_EXAMINED}`
      : `select newest.* from unnest($6::text[]) as w (author)
          cross join lateral (
            select id, type, published_at from items i where ${within} and i.author = w.author
             order by published_at desc, id limit ${MAX_EXAMINED}) newest`;
  const { rows } = await pool.query<NewestItem>({
    name: authors === null ? 'output-newest-items' : 'output-newest-of-authors',
    text: `select id, published_at as "publishedAt" from (${found}) found
            where $4::text[] is null or type = any($4) order by published_at desc, id limit $5`,
    values: [
      projectId,
      publishedAfter,
      publishedBefore,
      types,
      limit,
      ...(authors === null ? [] : [[...new Set(authors)]]),
    ],
  });
  return rows;
}

/**
 * The items that a person has met, by any event but an impression, which leaves no row. Pages leave them out as they
 * read their candidates (db/output/candidateItems.ts), unless the request wants them again (`excludesSeen` in
 * output/serve/openRequest.ts).
 */
import type { Queryable } from '../../pool.ts';
import { unexpandedItems } from './unexpandedOrders.ts';

/**
 * Returns the condition that an item was met by one of several identities: a look-up for each, compared as pairs, for
 * which only the indexes by person and item can be used. Otherwise a prepared plan would scan all events of a popular
 * item.
 * @param members an array of identities, and `item` an id, as expressions; the project is $1
 */
const metIn = (table: 'events' | 'event_states', members: string, item: string): string => `
  exists (select from unnest(${members}::bigint[]) as member (id)
           cross join lateral (
             select from ${table} e
              where e.project_id = $1 and (e.identity_id, e.item_id) >= (member.id, ${item})
                and (e.identity_id, e.item_id) <= (member.id, ${item}) limit 1) met)`;

/**
 * Returns the condition that an item was met: by an event, or in an order that will become one.
 * @param members an array of identities, and `item` an id, as expressions; the project is $1
 */
export const metBy = (members: string, item: string): string => `
  (${metIn('events', members, item)} or ${metIn('event_states', members, item)}
   or ${item} = any(array(select item_id from (${unexpandedItems(`${members}::bigint[]`)}) ordered)))`;

/** Returns those of the items that the person has met. */
export async function readSeenItems(
  pool: Queryable,
  projectId: string,
  memberIds: readonly string[],
  itemIds: readonly string[],
): Promise<Set<string>> {
  if (memberIds.length === 0 || itemIds.length === 0) return new Set();
  const { rows } = await pool.query<{ itemId: string }>({
    name: 'output-seen-items',
    text: `select w.item_id as "itemId" from unnest($3::text[]) as w (item_id)
            where ${metBy('$2', 'w.item_id')}`,
    values: [projectId, memberIds, itemIds],
  });
  return new Set(rows.map(({ itemId }) => itemId));
}

/**
 * Maximum number of items per person. Further items that the person has met are left out of pages, but counted in
 * totals.
 */
const MAX_SEEN = 50_000;

/**
 * Returns the items that a person has met, at most {@link MAX_SEEN}, unordered, for the selection process, which cannot
 * look up single ones.
 */
export async function readAllSeen(pool: Queryable, projectId: string, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length === 0) return [];
  const { rows } = await pool.query<{ items: string[] | null }>({
    name: 'search-all-seen',
    text: `select json_agg(item_id) as items from (
             select item_id from events where project_id = $1 and identity_id = any($2::bigint[])
              union
             select item_id from event_states where project_id = $1 and identity_id = any($2::bigint[])
              union
             select item_id from (${unexpandedItems('$2::bigint[]')}) ordered
              limit ${MAX_SEEN}) as met`,
    values: [projectId, memberIds],
  });
  return rows[0]?.items ?? [];
}

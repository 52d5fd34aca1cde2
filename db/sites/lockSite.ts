/** What is counted by site is changed by one at a time. */
import type { Queryable } from '../pool.ts';

/** Lets changes that are counted wait for each other; false when there is no such site. */
export async function lockSite(client: Queryable, siteId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sites where id = $1 for no key update', [siteId]);
  return rowCount === 1;
}

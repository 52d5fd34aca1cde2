/** Serialises changes that count rows of a site. */
import type { Queryable } from '../pool.ts';

/** Makes changes that count rows of the site wait for each other; false when there is no such site. */
export async function lockSite(client: Queryable, siteId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sites where id = $1 for no key update', [siteId]);
  return rowCount === 1;
}

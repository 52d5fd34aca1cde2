/** Favourite recordings, which live longer (lifetime.ts): at most as many as the site's quota allows. */
import type pg from 'pg';
import { DEFAULT_QUOTAS } from '../../domain/sites/siteQuotas.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { IS_SHOWN } from './readRecordings.ts';

/**
 * Sets or clears the favourite mark of a recording. Marks of one site wait for each other, so that its quota holds.
 * @returns 'too_many' when the site has as many favourites as its quota allows
 */
export function markRecording(
  pool: pg.Pool,
  siteId: string,
  id: string,
  isFavourite: boolean,
): Promise<'marked' | 'unknown' | 'too_many'> {
  return inTransaction(pool, async (client) => {
    const {
      rows: [site],
    } = await client.query<{ quota: number | null }>(
      `select (quotas->>'favourites')::int as quota from sites where id = $1 for no key update`,
      [siteId],
    );
    const {
      rows: [recording],
    } = await client.query<{ isFavourite: boolean }>(
      `select is_favourite as "isFavourite" from site_recordings r where site_id = $1 and recording_id = $2 and ${IS_SHOWN} for no key update`,
      [siteId, id],
    );
    if (!site || !recording) return 'unknown';
    if (recording.isFavourite === isFavourite) return 'marked';
    if (isFavourite && (await countFavourites(client, siteId)) >= (site.quota ?? DEFAULT_QUOTAS.favourites))
      return 'too_many';
    await client.query('update site_recordings set is_favourite = $3 where site_id = $1 and recording_id = $2', [
      siteId,
      id,
      isFavourite,
    ]);
    return 'marked';
  });
}

/** Counts the favourites of a site. */
export async function countFavourites(client: Queryable, siteId: string): Promise<number> {
  const { rows } = await client.query<{ favourites: number }>(
    'select count(*)::int as favourites from site_recordings where site_id = $1 and is_favourite and deleted_at is null',
    [siteId],
  );
  return rows[0]?.favourites ?? 0;
}

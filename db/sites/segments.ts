/** Saved segments of sites. */
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';
import { lockSite } from './lockSite.ts';

export const SEGMENTS_PER_SITE = 200;

export interface StoredSegment {
  id: string;
  title: string;
  /** As they were sent; reports/validate has validated them. */
  conditions: object;
  createdAt: Date;
  updatedAt: Date;
}

export type SegmentWrite = Pick<StoredSegment, 'title' | 'conditions'>;

const COLUMNS = 'id, title, conditions, created_at as "createdAt", updated_at as "updatedAt"';

/** Returns all of them, the oldest first. */
export async function listSegments(pool: Queryable, siteId: string): Promise<StoredSegment[]> {
  const { rows } = await pool.query<StoredSegment>(
    `select ${COLUMNS} from site_segments where site_id = $1 order by id`,
    [siteId],
  );
  return rows;
}

/** Returns one segment; null when the site has no such segment. @param id a UUID */
export async function findSegment(pool: Queryable, siteId: string, id: string): Promise<StoredSegment | null> {
  const { rows } = await pool.query<StoredSegment>(
    `select ${COLUMNS} from site_segments where site_id = $1 and id = $2`,
    [siteId, id],
  );
  return rows[0] ?? null;
}

/** Adds a segment; `full` when the site is at its maximum, even under concurrent requests. */
export function insertSegment(
  pool: pg.Pool,
  siteId: string,
  { title, conditions }: SegmentWrite,
): Promise<StoredSegment | 'full' | 'no_site'> {
  return inTransaction(pool, async (client) => {
    if (!(await lockSite(client, siteId))) return 'no_site';
    const { rows } = await client.query<StoredSegment>(
      `insert into site_segments (site_id, title, conditions)
       select $1, $2, $3 where (select count(*) from site_segments where site_id = $1) < $4 returning ${COLUMNS}`,
      [siteId, title, JSON.stringify(conditions), SEGMENTS_PER_SITE],
    );
    return rows[0] ?? 'full';
  });
}

/** Changes the named fields; null when the site has no such segment. */
export async function updateSegment(
  pool: Queryable,
  siteId: string,
  id: string,
  { title, conditions }: Partial<SegmentWrite>,
): Promise<StoredSegment | null> {
  const { rows } = await pool.query<StoredSegment>(
    `update site_segments set title = coalesce($3, title), conditions = coalesce($4, conditions), updated_at = now()
      where site_id = $1 and id = $2 returning ${COLUMNS}`,
    [siteId, id, title ?? null, conditions === undefined ? null : JSON.stringify(conditions)],
  );
  return rows[0] ?? null;
}

/** Deletes a segment. False when the site has no such segment. */
export async function deleteSegment(pool: Queryable, siteId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from site_segments where site_id = $1 and id = $2', [siteId, id]);
  return rowCount === 1;
}

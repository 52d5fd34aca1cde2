/** A visitor's recordings that can be continued. The tag needs them, because it sees no responses to its chunks. */
import type { Queryable } from '../pool.ts';
import { VISIT_PAUSE_MS } from '../../domain/visits/visitPause.ts';

/** A recording without a chunk for this long has ended: twice the pause that ends a visit. */
const RUNNING_SECONDS = (2 * VISIT_PAUSE_MS) / 1000;

export interface RecordingOwner {
  siteId: string;
  visitorId: string;
}

/** Maximum number of running recordings of one visitor, one per tab. The key is public, so more may have been begun. */
const MAX_RUNNING = 20;

/**
 * Returns the ids of recordings that have their first chunk, are not removed, and received a chunk lately; the newest
 * first.
 * @returns one list for each owner, in order
 */
export async function findRunning(pool: Queryable, owners: readonly RecordingOwner[]): Promise<string[][]> {
  const { rows } = await pool.query<{ ids: string[] }>({
    name: 'recordings-running',
    text: `select array(
             select r.recording_id::text from site_recordings r
              where r.site_id = owner.site_id and r.visitor_id = owner.visitor_id and r.deleted_at is null
                and r.created_at > now() - interval '1 day' and r.last_received_at > now() - make_interval(secs => $3)
                and exists (select from site_recording_chunks c where c.site_id = r.site_id and c.recording_id = r.recording_id and c.seq = 0)
              order by r.created_at desc limit $4) as ids
             from unnest($1::text[], $2::uuid[]) with ordinality as owner (site_id, visitor_id, ordinal) order by ordinal`,
    values: [
      owners.map(({ siteId }) => siteId),
      owners.map(({ visitorId }) => visitorId),
      RUNNING_SECONDS,
      MAX_RUNNING,
    ],
  });
  return rows.map(({ ids }) => ids);
}

/** The timeline of a recording: the marks of its chunks and the conversions of its visit. */
import type { RecordingMark } from '../../domain/recordings/marks.ts';
import type { Queryable } from '../pool.ts';

export interface MarkedChunk {
  /** The time of its first event, by the device's clock. */
  from: number;
  marks: RecordingMark[];
}

/**
 * Returns chunks whose marks are known, in order, at most `limit`: those that have a mark, and the very first one,
 * whose time is the beginning.
 */
export async function listMarkedChunks(
  pool: Queryable,
  siteId: string,
  recordingId: string,
  limit: number,
): Promise<MarkedChunk[]> {
  const { rows } = await pool.query<{ marks: MarkedChunk }>(
    `select marks from site_recording_chunks
      where site_id = $1 and recording_id = $2 and marks is not null and (seq = 0 or json_array_length(marks->'marks') > 0)
      order by seq limit $3`,
    [siteId, recordingId, limit],
  );
  return rows.map(({ marks }) => marks);
}

export interface RecordedGoal {
  goal: string;
  title: string | null;
  occurredAt: Date;
}

/** Returns the conversions of a visit, in order; a deleted goal has no title. */
export async function listVisitGoals(
  pool: Queryable,
  siteId: string,
  { visitorId, visitId }: { visitorId: string; visitId: string },
  limit: number,
): Promise<RecordedGoal[]> {
  const { rows } = await pool.query<RecordedGoal>(
    `select c.goal, g.title, c.occurred_at as "occurredAt"
       from site_conversions c left join site_goals g on g.site_id = c.site_id and g.code = c.goal
      where c.site_id = $1 and c.visitor_id = $2 and c.visit_id = $3
      order by c.occurred_at, c.goal limit $4`,
    [siteId, visitorId, visitId, limit],
  );
  return rows;
}

/** The event types of a project. */
import type { EventType } from '../domain/eventTypes.ts';
import type { Queryable } from './pool.ts';

const FIELDS = `code, title, mode, weight, value_kind, value_map, dedup_window_sec, suppress_similar_days,
  is_impression, is_open, is_goal, is_purchase, hides_item, is_active`;

/** A statement that gives a project types from a JSON array of them; for `with`. */
export function insertEventTypes(projectId: string, types: string): string {
  return `insert into event_types (project_id, ${FIELDS})
          select ${projectId}, ${FIELDS} from jsonb_populate_recordset(null::event_types, ${types}::jsonb)`;
}

/** All types of a project, inactive ones included, by code. */
export async function listEventTypes(pool: Queryable, projectId: string): Promise<EventType[]> {
  const { rows } = await pool.query<EventType>({
    name: 'event-types-list',
    text: `select ${FIELDS} from event_types where project_id = $1 order by code collate "C"`,
    values: [projectId],
  });
  return rows;
}

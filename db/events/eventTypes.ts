/** The event types of a project. */
import type pg from 'pg';
import { eventTypeFaults, MAX_TYPES, type EventType } from '../../domain/events/eventTypes.ts';
import { sameJson } from '../../domain/sameJson.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { recordAllItems } from '../popularity/recordChanges.ts';

const FIELDS = `code, title, mode, weight, value_kind, value_map, dedup_window_sec, suppress_similar_days,
  is_impression, is_open, is_goal, is_purchase, hides_item, is_active`;

export interface StoredEventType extends EventType {
  /** True once it has had an event; the storage mode of its events is fixed from then on. */
  inUse: boolean;
}

/** Returns a statement, for use in `with`, that gives a project types from a JSON array of them. */
export function insertEventTypes(projectId: string, types: string): string {
  return `insert into event_types (project_id, ${FIELDS})
          select ${projectId}, ${FIELDS} from jsonb_populate_recordset(null::event_types, ${types}::jsonb)`;
}

/** Returns all types of a project, including inactive ones, by code. */
export async function listEventTypes(pool: Queryable, projectId: string): Promise<StoredEventType[]> {
  const { rows } = await pool.query<StoredEventType>({
    name: 'event-types-list',
    text: `select ${FIELDS}, in_use as "inUse" from event_types where project_id = $1 order by code collate "C"`,
    values: [projectId],
  });
  return rows;
}

/** Fixes how the types' events are stored. Called once for each type, before its first event is stored. */
export async function markInUse(pool: Queryable, projectId: string, codes: readonly string[]): Promise<void> {
  await pool.query(
    `with due as (select code from event_types where project_id = $1 and code = any($2) and not in_use order by code for no key update)
     update event_types t set in_use = true from due where t.project_id = $1 and t.code = due.code`,
    [projectId, codes],
  );
}

export type PutOutcome =
  | { outcome: 'created' | 'replaced' }
  | { outcome: 'no_project' }
  /**
   * The fields that contradict other fields, the project's other types, or stored data; '' when there are too many
   * types.
   */
  | { outcome: 'refused'; fields: string[] };

/** Creates or replaces a type. Concurrent calls for one project run one after the other. */
export async function putEventType(pool: pg.Pool, projectId: string, type: EventType): Promise<PutOutcome> {
  return inTransaction(pool, async (client): Promise<PutOutcome> => {
    const project = await client.query('select from projects where id = $1 for no key update', [projectId]);
    if (project.rowCount === 0) return { outcome: 'no_project' };
    // An event that arrives in the meantime waits for these rows before it fixes its type, or this waits for the event.
    await client.query('select from event_types where project_id = $1 order by code for no key update', [projectId]);
    const types = await listEventTypes(client, projectId);
    const fields = [...eventTypeFaults(type), ...conflicts(type, types)];
    if (fields.length > 0) return { outcome: 'refused', fields: [...new Set(fields)] };
    await upsert(client, projectId, type);
    const known = types.find(({ code }) => code === type.code);
    if (known && !weighsAlike(type, known)) await recordAllItems(client, projectId);
    return { outcome: known ? 'replaced' : 'created' };
  });
}

function conflicts(type: EventType, types: readonly StoredEventType[]): string[] {
  const known = types.find(({ code }) => code === type.code);
  const fields: string[] = [];
  if (!known && types.length >= MAX_TYPES) fields.push('');
  if (type.is_purchase && types.some((other) => other.is_purchase && other.code !== type.code))
    fields.push('is_purchase');
  // Orders always become events of the purchase type, so it counts as in use.
  if (!known || !(known.inUse || known.is_purchase)) return fields;
  if (type.mode !== known.mode) fields.push('mode');
  if (type.is_impression !== known.is_impression) fields.push('is_impression');
  return fields;
}

function weighsAlike(type: EventType, known: EventType): boolean {
  return type.weight === known.weight && type.mode === known.mode && sameJson(type.value_map, known.value_map);
}

async function upsert(client: pg.PoolClient, projectId: string, type: EventType): Promise<void> {
  await client.query(
    `${insertEventTypes('$1', '$2')}
     on conflict (project_id, code) do update
        set (title, mode, weight, value_kind, value_map, dedup_window_sec, suppress_similar_days,
             is_impression, is_open, is_goal, is_purchase, hides_item, is_active, in_use)
          = (excluded.title, excluded.mode, excluded.weight, excluded.value_kind, excluded.value_map, excluded.dedup_window_sec, excluded.suppress_similar_days,
             excluded.is_impression, excluded.is_open, excluded.is_goal, excluded.is_purchase, excluded.hides_item, excluded.is_active,
             event_types.in_use or event_types.is_purchase)`,
    [projectId, JSON.stringify([type])],
  );
}

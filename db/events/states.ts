/** The modes `max` and `state`: one row for each identity, item and type, holding the event that counts. */
import type pg from 'pg';
import { changedItems } from '../../domain/events/changedDays.ts';
import { winningStates, stateValue, type PersonEvent } from '../../domain/events/countingEvents.ts';
import { changeValues, recordIfStored } from '../popularity/recordChanges.ts';
import { column, sparseColumn, seriesColumns, timesOf } from './columnArrays.ts';

/**
 * Maximum number of rows of a transaction that are shown to people who watch events arrive
 * (migrations/0094_recent_states.sql).
 */
const MAX_SEEN = 50;

/**
 * Stores the events that have a larger value (`max`) or did not happen earlier (`state`) than the stored one. The rows
 * are locked in the order of their keys, which is the same in every request.
 */
export async function updateStates(
  client: pg.PoolClient,
  projectId: string,
  sent: readonly PersonEvent[],
): Promise<void> {
  if (sent.length === 0) return;
  const events = winningStates(sent);
  await client.query({
    name: 'events-update-states',
    text: `with stored as (
           insert into event_states as s (project_id, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position)
           select $1, * from unnest($2::bigint[], $3::text[], $4::text[], $5::float8[], $6::timestamptz[], $7::text[], $8::text[], $9::integer[])
           on conflict (project_id, identity_id, item_id, type) do update
              set value = excluded.value, occurred_at = excluded.occurred_at, received_at = excluded.received_at,
                  recommendation_id = excluded.recommendation_id, surface = excluded.surface, position = excluded.position
            where case when s.type = any($10::text[]) then excluded.value > s.value else excluded.occurred_at >= s.occurred_at end
           returning identity_id, item_id, type),
           seen as (
           insert into recent_states (project_id, identity_ids, item_ids, types)
           select $1, (array_agg(identity_id))[:${MAX_SEEN}], (array_agg(item_id))[:${MAX_SEEN}], (array_agg(type))[:${MAX_SEEN}]
             from stored having count(*) > 0)
           ${recordIfStored('event_states', 11)}`,
    values: [
      projectId,
      ...seriesColumns(events),
      column(events, stateValue),
      timesOf(events),
      sparseColumn(events, ({ recommendationId }) => recommendationId),
      sparseColumn(events, ({ surface }) => surface),
      sparseColumn(events, ({ position }) => position),
      [...new Set(events.filter(({ type }) => type.mode === 'max').map(({ type }) => type.code))],
      ...changeValues(changedItems(events)),
    ],
  });
}

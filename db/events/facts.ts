/** Facts, stored as one row for each event. */
import type pg from 'pg';
import { changedItems } from '../../domain/events/changedDays.ts';
import type { PersonEvent } from '../../domain/events/countingEvents.ts';
import { changeValues, recordIfStored } from '../popularity/recordChanges.ts';
import { hashesOf, idsOf, inOrderOfIds, sparseColumn, seriesColumns, timesOf } from './columnArrays.ts';

/** Minimum number of facts for which it pays to assume that all of them are new, which takes two extra statements. */
const MANY = 50;
const UNIQUE_VIOLATION = '23505';

/**
 * Stores facts. A fact whose id is known, as a fact or among the remembered ids, changes nothing. The rows are written
 * in the order of their ids, so that requests with the same ones do not deadlock.
 * @returns how many are new
 */
export async function storeFacts(
  client: pg.PoolClient,
  projectId: string,
  facts: readonly PersonEvent[],
): Promise<number> {
  if (facts.length === 0) return 0;
  const events = inOrderOfIds(facts);
  const isRepeat = events.length < MANY || (await hasFact(client, projectId, events[0]?.id ?? ''));
  return isRepeat ? insertNew(client, projectId, events) : insertAllOrNew(client, projectId, events);
}

/**
 * Returns true when the fact is stored. The first fact of a request is enough to recognise that the request is
 * repeated.
 */
async function hasFact(client: pg.PoolClient, projectId: string, id: string): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>({
    name: 'events-has-fact',
    text: 'select exists (select from events where project_id = $1 and id = $2) as known',
    values: [projectId, id],
  });
  return rows[0]?.known === true;
}

/**
 * With `on conflict`, PostgreSQL looks up every id once more, which costs a tenth of the whole request and is nearly
 * always useless. When an id exists although the first one does not, the transaction returns to the savepoint.
 */
async function insertAllOrNew(
  client: pg.PoolClient,
  projectId: string,
  events: readonly PersonEvent[],
): Promise<number> {
  await client.query('savepoint facts');
  try {
    return await insert(client, { name: 'events-insert-facts', conflicts: '' }, projectId, events);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint facts');
    return insertNew(client, projectId, events);
  }
}

function insertNew(client: pg.PoolClient, projectId: string, events: readonly PersonEvent[]): Promise<number> {
  return insert(client, { name: 'events-insert-new-facts', conflicts: 'on conflict do nothing' }, projectId, events);
}

/** The look-up is a subquery and not a join, so that no plan can scan a table that has grown in the meantime. */
async function insert(
  client: pg.PoolClient,
  { name, conflicts }: { name: string; conflicts: string },
  projectId: string,
  events: readonly PersonEvent[],
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name,
    text: `with stored as (
           insert into events (project_id, id, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position, order_id, quantity, price)
           select $1, id, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position, order_id, quantity, price
             from unnest($2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::float8[], $8::timestamptz[],
                         $9::text[], $10::text[], $11::integer[], $12::text[], $13::float8[], $14::float8[])
                  as e (id, hash, identity_id, item_id, type, value, occurred_at, recommendation_id, surface, position, order_id, quantity, price)
            where (select s.expires_on from seen_event_ids s where s.project_id = $1 and s.id_hash = e.hash) is null
           ${conflicts} returning 1),
           recorded as (${recordIfStored('events', 15)})
           select count(*)::integer as count from stored`,
    values: [
      projectId,
      idsOf(events),
      hashesOf(events),
      ...seriesColumns(events),
      sparseColumn(events, ({ value }) => value),
      timesOf(events),
      sparseColumn(events, ({ recommendationId }) => recommendationId),
      sparseColumn(events, ({ surface }) => surface),
      sparseColumn(events, ({ position }) => position),
      sparseColumn(events, ({ orderId }) => orderId),
      sparseColumn(events, ({ quantity }) => quantity),
      sparseColumn(events, ({ price }) => price),
      ...changeValues(changedItems(events)),
    ],
  });
  return rows[0]?.count ?? 0;
}

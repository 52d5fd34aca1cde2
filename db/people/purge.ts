/** The job `user-delete`: what is stored of a deleted person is removed, in chunks. */
import type pg from 'pg';
import type { PassChunk } from '../../domain/passes.ts';
import { closeJob } from '../jobs.ts';
import { inTransaction } from '../pool.ts';
import { changeChunk, changeInOrder, COUNTS, EVENT_LOCKS, isTaken, ORDER_LOCKS, STATE_LOCKS, takeChunk, type Counts } from './chunk.ts';
import { MEMBERS } from './members.ts';

interface Purge {
  projectId: string;
  rootId: string;
  /** Rows at most. */
  limit: number;
  /** Closes the job when nothing is left. */
  isLastPass: boolean;
}

/**
 * Removes the next rows of a deleted person, in one transaction: orders with their lines, events, which
 * leave their sums per item behind, logins, profile, and at last the identifiers. Orders come before
 * events, as they do when orders are expanded.
 */
export async function purgeChunk(pool: pg.Pool, { projectId, rootId, limit, isLastPass }: Purge): Promise<PassChunk> {
  return inTransaction(pool, async (client) => {
    const ids = await findDeadMembers(client, projectId, rootId);
    const purge = (table: string, lockOrder: string, effect?: string) => (room: number) =>
      purgeRows(client, [projectId, ids, room], { table, lockOrder }, effect);
    const { rows, isAll } = await changeInOrder(limit, ids.length === 0 ? [] : [
      purge('orders', ORDER_LOCKS, REMOVE_LINES),
      purge('events', EVENT_LOCKS, ADD_TO_TOTALS),
      purge('event_states', STATE_LOCKS, ADD_TO_TOTALS),
      purge('device_logins', 'fingerprint, identity_id'),
      purge('profiles', 'identity_id'),
    ]);
    if (!isAll) return { rows, state: 'more' };
    await forgetIdentifiers(client, projectId, ids);
    if (ids.length > 0 && !isLastPass) return { rows, state: 'passed' };
    await closeJob(client, { kind: 'user-delete', projectId, entityId: rootId });
    return { rows, state: 'over' };
  });
}

/** Empty when the job is closed. Whoever is alive is left alone, whatever the job says. */
async function findDeadMembers(client: pg.PoolClient, projectId: string, rootId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'people-dead-members',
    text: `select id from (${MEMBERS}) as member
            where dead_at is not null
              and exists (select from jobs j where j.project_id = $1 and j.kind = 'user-delete' and j.entity_id = $3)`,
    values: [projectId, rootId, rootId],
  });
  return rows.map(({ id }) => id);
}

const OF_PERSON = 'project_id = $1 and identity_id = any($2::bigint[])';

/** What events leave. In the order of the key, so that two purges do not wait in a circle. */
const addToTotals = (events: string): string => `effect as (
  insert into item_event_totals as t (project_id, item_id, type, events, value_sum)
  select $1, item_id, type, count(*), coalesce(sum(value), 0) from ${events} group by item_id, type order by item_id, type
  on conflict (project_id, item_id, type) do update set events = t.events + excluded.events, value_sum = t.value_sum + excluded.value_sum)`;

const ADD_TO_TOTALS = addToTotals('changed');

/**
 * An order that another user had before may not have been expanded since: its lines still show that
 * one, and with the order goes what they would be found by.
 */
const REMOVE_LINES = `
  line as materialized (
    select e.place from changed c cross join lateral (
      select ctid as place from events where project_id = $1 and order_id = c.order_id and id like 'o:%' offset 0) e),
  removed as (delete from events where ctid = any(array(select place from line)) and id like 'o:%' returning item_id, type, value),
  ${addToTotals('removed')}`;

/** @param effect parts of the statement over the rows that are `changed` */
function purgeRows(client: pg.PoolClient, values: unknown[], rows: { table: string; lockOrder: string }, effect?: string): Promise<Counts> {
  const chunk = { ...rows, of: OF_PERSON, limit: '$3' };
  const text = `with ${takeChunk(chunk)}, changed as (delete from ${rows.table} where ${isTaken(chunk)} returning *)
                ${effect === undefined ? '' : `, ${effect}`} ${COUNTS}`;
  return changeChunk(client, text, values);
}

/** What is left is a number without a name. */
async function forgetIdentifiers(client: pg.PoolClient, projectId: string, ids: readonly string[]): Promise<void> {
  await client.query({
    name: 'people-forget-identifiers',
    text: 'update identities set external_id = null where project_id = $1 and id = any($2::bigint[]) and external_id is not null',
    values: [projectId, ids],
  });
}

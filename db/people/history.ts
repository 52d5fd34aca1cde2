/**
 * The job `user-link`: what is stored under a device's identity is rewritten to its user, in chunks.
 * The statements have no names: a plan that was kept from when the tables were small would scan them.
 */
import type pg from 'pg';
import type { PassChunk } from '../../domain/passes.ts';
import { closeJob } from '../jobs.ts';
import { inTransaction } from '../pool.ts';

interface Move {
  projectId: string;
  deviceId: string;
  userId: string;
  /** Rows at most. */
  limit: number;
}

/**
 * Moves the next rows of a device to its user, in one transaction. A row that was moved is the user's
 * and found no more, so a chunk that is done twice moves nothing twice. Orders come before events, as
 * they do when orders are expanded.
 * @param isLastPass closes the job when nothing is left
 */
export async function moveHistoryChunk(
  pool: pg.Pool, { projectId, deviceId, limit, isLastPass }: Omit<Move, 'userId'> & { isLastPass: boolean },
): Promise<PassChunk> {
  return inTransaction(pool, async (client) => {
    const userId = await findUserOf(client, projectId, deviceId);
    let rows = 0;
    if (userId !== null) {
      for (const moveSome of [moveOrders, moveEvents, moveStates]) {
        const moved = await moveSome(client, { projectId, deviceId, userId, limit: limit - rows });
        rows += moved;
        if (rows >= limit) return { rows, state: 'more' };
      }
      if (!isLastPass) return { rows, state: 'passed' };
    }
    await closeJob(client, { kind: 'user-link', projectId, entityId: deviceId });
    return { rows, state: 'over' };
  });
}

/** Null when the job is closed, or the device was deleted meanwhile: then its purge takes everything. */
async function findUserOf(client: pg.PoolClient, projectId: string, deviceId: string): Promise<string | null> {
  const { rows } = await client.query<{ userId: string | null }>({
    name: 'people-user-of-device',
    text: `select i.merged_into as "userId"
             from identities i join jobs j on j.project_id = i.project_id and j.kind = 'user-link' and j.entity_id = i.id::text
            where i.project_id = $1 and i.id = $2 and i.dead_at is null`,
    values: [projectId, deviceId],
  });
  return rows[0]?.userId ?? null;
}

/** Rows are taken by the history's index and locked in the order of their key, as expansions lock them. */
async function moveEvents(client: pg.PoolClient, { projectId, deviceId, userId, limit }: Move): Promise<number> {
  const { rowCount } = await client.query({
    text: `with chunk as materialized (
             select id from events where project_id = $1 and identity_id = $2 order by occurred_at limit $4),
           locked as materialized (
             select e.id from events e where e.project_id = $1 and e.identity_id = $2 and e.id = any(array(select id from chunk))
              order by e.id for update)
           update events e set identity_id = $3 from locked l where e.project_id = $1 and e.id = l.id`,
    values: [projectId, deviceId, userId, limit],
  });
  return rowCount ?? 0;
}

/**
 * Where the user has a row of the same item and type, the event that counts stays, as for events that
 * come in: the largest value of `max`, else the latest one; of equals the user's own. His rows are
 * locked with the device's, in the order in which intake takes them (domain/eventModes.ts).
 */
async function moveStates(client: pg.PoolClient, { projectId, deviceId, userId, limit }: Move): Promise<number> {
  const { rows } = await client.query<{ moved: number }>({
    text: `with chunk as materialized (
             select item_id, type from event_states where project_id = $1 and identity_id = $2 order by item_id, type limit $4),
           locked as materialized (
             select s.identity_id, s.item_id, s.type from event_states s join chunk c on s.item_id = c.item_id and s.type = c.type
              where s.project_id = $1 and s.identity_id in ($2, $3)
              order by s.identity_id::text collate "C", s.item_id collate "C", s.type collate "C" for update of s),
           gone as (
             delete from event_states s using locked l
              where s.project_id = $1 and s.identity_id = $2 and l.identity_id = $2 and s.item_id = l.item_id and s.type = l.type returning s.*),
           merged as (
             insert into event_states as own (project_id, identity_id, ${STATE_COLUMNS})
             select $1, $3, ${STATE_COLUMNS} from gone order by item_id collate "C", type collate "C"
             on conflict (project_id, identity_id, item_id, type) do update
                set (${STATE}) = (${STATE.split(', ').map((column) => `excluded.${column}`).join(', ')})
              where case when (select t.mode from event_types t where t.project_id = $1 and t.code = own.type) = 'max'
                         then excluded.value > own.value else excluded.occurred_at > own.occurred_at end)
           select count(*)::int as moved from gone`,
    values: [projectId, deviceId, userId, limit],
  });
  return rows[0]?.moved ?? 0;
}

const STATE = 'value, occurred_at, received_at, recommendation_id, surface, position';
const STATE_COLUMNS = `item_id, type, ${STATE}`;

async function moveOrders(client: pg.PoolClient, { projectId, deviceId, userId, limit }: Move): Promise<number> {
  const { rowCount } = await client.query({
    text: `with chunk as materialized (
             select order_id from orders where project_id = $1 and identity_id = $2 order by order_id limit $4 for update)
           update orders o set identity_id = $3 from chunk c where o.project_id = $1 and o.order_id = c.order_id`,
    values: [projectId, deviceId, userId, limit],
  });
  return rowCount ?? 0;
}

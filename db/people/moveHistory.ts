/**
 * The job `user-link`: rows stored under a device's identity are rewritten to its user, in chunks. Which devices become
 * a user's is decided in linkUser.ts.
 */
import type pg from 'pg';
import type { PassChunk } from '../../domain/people/historyPasses.ts';
import { closeJob } from '../jobs/jobs.ts';
import { recordHistoryOf } from '../training/recordForgottenItems.ts';
import { inTransaction } from '../pool.ts';
import { recordRows } from '../popularity/recordChanges.ts';
import {
  changeChunk,
  changeInOrder,
  COUNTS,
  EVENT_LOCKS,
  isTaken,
  ORDER_LOCKS,
  STATE_LOCKS,
  takeChunk,
  type Counts,
} from './chunkedChanges.ts';

interface Move {
  projectId: string;
  deviceId: string;
  userId: string;
}

interface MoveChunk extends Omit<Move, 'userId'> {
  /** Maximum number of rows. */
  limit: number;
  /** True to close the job when nothing is left. */
  isLastPass: boolean;
}

/**
 * Moves the next rows of a device to its user, in one transaction. A moved row belongs to the user and is not found
 * again, so a chunk that runs twice moves nothing twice. Orders come before events, as in their expansion.
 */
export async function moveHistoryChunk(
  pool: pg.Pool,
  { projectId, deviceId, limit, isLastPass }: MoveChunk,
): Promise<PassChunk> {
  return inTransaction(pool, async (client) => {
    const userId = await findUserOf(client, projectId, deviceId);
    const move = { projectId, deviceId, userId: userId ?? '' };
    const { rows, isAll } = await changeInOrder(
      limit,
      userId === null
        ? []
        : [
            (room) => moveRows(client, move, { table: 'orders', lockOrder: ORDER_LOCKS }, room),
            (room) => moveRows(client, move, EVENTS, room),
            (room) => moveStates(client, move, room),
            (room) => moveRows(client, move, { table: 'output_snapshots', lockOrder: 'id, page' }, room),
          ],
    );
    // The last pass finds few late rows; those of the first pass are recorded once, when all are moved.
    if (userId !== null && (isLastPass ? rows > 0 : isAll)) await recordHistoryOf(client, projectId, [userId]);
    if (!isAll) return { rows, state: 'more' };
    if (userId !== null && !isLastPass) return { rows, state: 'passed' };
    await closeJob(client, { kind: 'user-link', projectId, entityId: deviceId });
    return { rows, state: 'over' };
  });
}

/**
 * Returns null when the job is closed, or when the device was deleted in the meantime: then its purge removes
 * everything.
 */
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

const OF_DEVICE = 'project_id = $1 and identity_id = $2';

interface Moved {
  table: string;
  lockOrder: string;
  orderBy?: string;
  /** Further parts of the statement, over the rows that are `changed`. */
  effect?: string;
}

/** The days of a person who counted as two people have to be counted again. */
const EVENTS: Moved = {
  table: 'events',
  lockOrder: EVENT_LOCKS,
  orderBy: 'occurred_at',
  effect: recordRows('events', 'changed'),
};

function moveRows(
  client: pg.PoolClient,
  { projectId, deviceId, userId }: Move,
  { effect, ...rows }: Moved,
  limit: number,
): Promise<Counts> {
  const chunk = { ...rows, where: OF_DEVICE, limit: '$4' };
  const text = `with ${takeChunk(chunk)}, changed as (update ${rows.table} set identity_id = $3 where ${isTaken(chunk)} returning *)
                ${effect === undefined ? '' : `, recorded as (${effect})`} ${COUNTS}`;
  return changeChunk(client, text, [projectId, deviceId, userId, limit]);
}

const STATE = 'value, occurred_at, received_at, recommendation_id, surface, position';
const STATE_COLUMNS = `item_id, type, ${STATE}`;

/** Returns an upsert of the device's rows (`from`) into the user's: rows are added or locked in one ordered pass. */
const mergeStates = (from: string): string => `merged as (
  insert into event_states as own (project_id, identity_id, ${STATE_COLUMNS})
  select $1, $3, ${STATE_COLUMNS} from ${from} order by item_id collate "C", type collate "C"
  on conflict (project_id, identity_id, item_id, type) do update
     set (${STATE}) = (${STATE.split(', ')
       .map((column) => `excluded.${column}`)
       .join(', ')})
   where case when (select t.mode from event_types t where t.project_id = $1 and t.code = own.type) = 'max'
              then excluded.value > own.value else excluded.occurred_at > own.occurred_at end
  returning 1)`;

const DEVICE_CHUNK = {
  table: 'event_states',
  where: OF_DEVICE,
  orderBy: 'item_id, type',
  limit: '$4',
  lockOrder: STATE_LOCKS,
};

const DEVICE_FIRST = `
  with ${takeChunk(DEVICE_CHUNK)},
       changed as (delete from event_states where ${isTaken(DEVICE_CHUNK)} returning *),
       ${mergeStates('changed')},
       recorded as (${recordRows('event_states', 'changed')})
  ${COUNTS}`;

/**
 * The rows of the device are read without a lock, so one of them may change before it is locked. Then it is not removed
 * but found again, and merging it once more does no harm. The count of the merged rows makes the statement lock the
 * device's rows only after the merge.
 */
const USER_FIRST = `
  with chunk as materialized (
         select ctid as tid, ${STATE_COLUMNS} from event_states where ${OF_DEVICE} order by item_id, type limit $4),
       ${mergeStates('chunk')},
       done as materialized (select c.tid from chunk c cross join (select count(*) from merged) m),
       locked as materialized (
         select ctid as tid, project_id, identity_id from event_states where ctid = any(array(select tid from done)) order by ${STATE_LOCKS} for update),
       changed as (delete from event_states where ${isTaken(DEVICE_CHUNK)} returning item_id, occurred_at),
       recorded as (${recordRows('event_states', 'changed')})
  ${COUNTS}`;

/**
 * Moves states. Where the user has a row of the same item and type, the event that counts stays, as in intake: the
 * largest value of `max`, else the latest event; among equals the user's own. The order of the rows, including new
 * ones, follows {@link STATE_LOCKS} and the intake: adding a row after locking a later one would cause a deadlock.
 */
function moveStates(client: pg.PoolClient, { projectId, deviceId, userId }: Move, limit: number): Promise<Counts> {
  // The ids are compared as texts, because `STATE_LOCKS` sorts them as texts.
  return changeChunk(client, deviceId < userId ? DEVICE_FIRST : USER_FIRST, [projectId, deviceId, userId, limit]);
}

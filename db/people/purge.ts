/** The job `user-delete`: the stored data of a deleted person is removed, in chunks. */
import type pg from 'pg';
import type { PassChunk } from '../../domain/people/historyPasses.ts';
import { LINE_EVENT_ID } from '../../domain/orders/orderLines.ts';
import { rememberIdsOfDeleted } from '../events/rememberedIds.ts';
import { amountOf, summable } from '../events/sumsWithinRange.ts';
import { closeJob } from '../jobs/jobs.ts';
import { IS_LINE_EVENT, lockLineEvents } from '../orders/lineEvents.ts';
import { recordForgotten } from '../training/recordForgottenItems.ts';
import { inTransaction } from '../pool.ts';
import { recordRows } from '../popularity/recordChanges.ts';
import {
  changeChunk,
  changeFirst,
  COUNTS,
  EVENT_LOCKS,
  isTaken,
  ORDER_LOCKS,
  STATE_LOCKS,
  takeChunk,
  type Counts,
} from './chunkedChanges.ts';
import { identitiesOfPerson } from '../identities/identitiesOfPerson.ts';

interface Purge {
  projectId: string;
  rootId: string;
  /** Maximum number of rows. */
  limit: number;
  /** True to close the job when nothing is left. */
  isLastPass: boolean;
}

/**
 * An order has up to 200 lines, and each is an event. This keeps their number in a transaction close to that of other
 * rows.
 */
const ORDERS = 50;

/**
 * Removes the next rows of a deleted person, in one transaction: orders with their lines, events (whose sums per item
 * remain), snapshots of answers, logins, profile, and finally the identifiers. A transaction handles one kind only: if
 * each added to the sums twice, two purges with the same items would deadlock.
 */
export async function purgeChunk(pool: pg.Pool, { projectId, rootId, limit, isLastPass }: Purge): Promise<PassChunk> {
  return inTransaction(pool, async (client) => {
    const ids = await findDeadMembers(client, projectId, rootId);
    const purge = (table: string, lockOrder: string, effect?: string) => () =>
      purgeRows(client, [projectId, ids, limit], { table, lockOrder }, effect);
    const { rows, isAll } = await changeFirst(
      ids.length === 0
        ? []
        : [
            () => purgeOrders(client, projectId, ids, Math.min(limit, ORDERS)),
            () => purgeFacts(client, projectId, ids, limit),
            purge(
              'event_states',
              STATE_LOCKS,
              `${addToTotals('changed')}, ${FORGET}, recorded as (${recordRows('event_states', 'changed')})`,
            ),
            purge('output_snapshots', 'id, page'),
            purge('device_logins', 'fingerprint, identity_id'),
            purge('profiles', 'identity_id'),
          ],
    );
    if (!isAll) return { rows, state: 'more' };
    await clearIdentifiers(client, projectId, ids);
    if (ids.length > 0 && !isLastPass) return { rows, state: 'passed' };
    await closeJob(client, { kind: 'user-delete', projectId, entityId: rootId });
    return { rows, state: 'over' };
  });
}

/** Returns an empty list when the job is closed. Living people are left alone, whatever the job says. */
async function findDeadMembers(client: pg.PoolClient, projectId: string, rootId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'people-dead-members',
    text: `select id from (${identitiesOfPerson('$2')}) as member
            where dead_at is not null
              and exists (select from jobs j where j.project_id = $1 and j.kind = 'user-delete' and j.entity_id = $3)`,
    values: [projectId, rootId, rootId],
  });
  return rows.map(({ id }) => id);
}

const OF_PERSON = 'project_id = $1 and identity_id = any($2::bigint[])';

/** Adds deleted events to the sums per item, in key order, so that two purges do not deadlock. */
const addToTotals = (events: string): string => `effect as (
  insert into item_event_totals as t (project_id, item_id, type, events, value_sum)
  select $1, item_id, type, count(*), coalesce(sum(${summable('value')}), 0) from ${events} group by item_id, type order by item_id, type
  on conflict (project_id, item_id, type) do update set events = t.events + excluded.events, value_sum = t.value_sum + excluded.value_sum)`;

const FORGET = recordForgotten('changed', 'deletion');

/**
 * The lines of the orders as they are now. An expansion may not have shown the last change yet: events of a cancelled
 * order are no purchases any more, and lines without an event are.
 */
const LINES = `line as (
  select l.item_id, coalesce(r.type, (select code from event_types where project_id = $1 and is_purchase and is_active)) as type,
         ${amountOf('l')} as value
    from order_lines l left join removed r on r.order_id = l.order_id and r.item_id = l.item_id
   where l.project_id = $1 and l.order_id = any($2::text[])),
  counted as (select * from line where type is not null)`;

/**
 * Removes orders with the events of their lines. An order that belonged to another user before may not have been
 * expanded since: its events still name that user, and after the order is removed they could no longer be found.
 */
async function purgeOrders(
  client: pg.PoolClient,
  projectId: string,
  ids: readonly string[],
  limit: number,
): Promise<Counts> {
  const { found, orderIds } = await lockOrders(client, projectId, ids, limit);
  if (orderIds.length === 0) return { found, changed: 0 };
  await lockLineEvents(client, projectId, orderIds);
  await client.query(
    `with removed as (delete from events where project_id = $1 and order_id = any($2::text[]) and ${IS_LINE_EVENT} returning order_id, item_id, type, occurred_at),
          ${LINES}, ${addToTotals('counted')},
          recorded as (${recordRows('events', 'removed')}),
          ${recordForgotten('removed', 'deletion')}
     delete from orders where project_id = $1 and order_id = any($2::text[])`,
    [projectId, orderIds],
  );
  return { found, changed: orderIds.length };
}

/**
 * Removes facts, whose ids stay known by their hash: a repeat is a duplicate and makes nobody known. The hashes come
 * first, as in the intake, so that the two never deadlock. Events of order lines that are left belong to orders that
 * somebody else has by now, and are not added to the sums: an expansion shows them as that person's.
 */
async function purgeFacts(
  client: pg.PoolClient,
  projectId: string,
  identityIds: readonly string[],
  limit: number,
): Promise<Counts> {
  const { rows } = await client.query<{ id: string }>(`select id from events where ${OF_PERSON} limit $3`, [
    projectId,
    identityIds,
    limit,
  ]);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, changed: 0 };
  // The intake refuses ids of order lines from every sender.
  await rememberIdsOfDeleted(
    client,
    projectId,
    ids.filter((id) => !LINE_EVENT_ID.test(id)),
  );
  const facts = { table: 'events', lockOrder: EVENT_LOCKS, only: 'id = any($4::text[])' };
  return purgeRows(
    client,
    [projectId, identityIds, limit, ids],
    facts,
    `counted as (select * from changed where not (${IS_LINE_EVENT})), ${addToTotals('counted')}, ${FORGET},
     recorded as (${recordRows('events', 'changed')})`,
  );
}

async function lockOrders(
  client: pg.PoolClient,
  projectId: string,
  ids: readonly string[],
  limit: number,
): Promise<{ found: number; orderIds: string[] }> {
  const chunk = { table: 'orders', where: OF_PERSON, lockOrder: ORDER_LOCKS, limit: '$3' };
  const { rows } = await client.query<{ found: number; orderIds: string[] }>(
    `with ${takeChunk(chunk)}
     select (select count(*)::int from chunk) as found, array(select order_id from orders where ${isTaken(chunk)}) as "orderIds"`,
    [projectId, ids, limit],
  );
  return rows[0] ?? { found: 0, orderIds: [] };
}

/** Removes rows of one kind. @param effect parts of the statement over the rows that are `changed` */
function purgeRows(
  client: pg.PoolClient,
  values: unknown[],
  rows: { table: string; lockOrder: string; only?: string },
  effect?: string,
): Promise<Counts> {
  const chunk = { ...rows, where: OF_PERSON, limit: '$3' };
  const text = `with ${takeChunk(chunk)}, changed as (delete from ${rows.table} where ${isTaken(chunk)} returning *)
                ${effect === undefined ? '' : `, ${effect}`} ${COUNTS}`;
  return changeChunk(client, text, values);
}

/** Only a number without a name is left. */
async function clearIdentifiers(client: pg.PoolClient, projectId: string, ids: readonly string[]): Promise<void> {
  await client.query({
    name: 'people-forget-identifiers',
    text: 'update identities set external_id = null where project_id = $1 and id = any($2::bigint[]) and external_id is not null',
    values: [projectId, ids],
  });
}

/**
 * Analysis volume (domain/analysis/volume.ts): reserved before the work, counted as used with the first response of a
 * provider or the end of the work, released when there was neither. The key of a reservation makes all of this
 * idempotent: repeated calls count once. Only `consumeTextUnits` has no reservation and counts again with each call.
 *
 * Callers who reserve, close or use hold the item's lock; the rows of months are locked after it, the earliest first.
 */
import { MAX_ANALYSED_SEC } from '../../domain/analysis/analysedDuration.ts';
import { CHARACTERS_PER_UNIT, SECONDS_PER_UNIT, type Reservation, type Subject } from '../../domain/analysis/volume.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import { INSERT_INTO_OUTBOX, WAKE_RELAY } from '../jobs/outbox.ts';
import type { Queryable } from '../pool.ts';

/** NOTIFY channel that announces a changed volume of any project. */
export const VOLUME_CHANNEL = 'volume';

/** SQL of the units that a project without a limit has in a month. */
const NO_LIMIT = '9223372036854775807';

/** SQL of the units of the text of the item `i`; no text counts as zero. */
const TEXT_UNITS = `ceil((coalesce(char_length(i.title), 0) + coalesce(char_length(i.description), 0) + coalesce(char_length(i.body), 0)) / ${CHARACTERS_PER_UNIT}.0)`;

/** The units of one subject. An unknown length counts as one unit. */
const UNITS = `
  case when n.subject = '' then
    (select ${TEXT_UNITS} from items i where i.project_id = $1 and i.id = $2)
  else
    (select case kind when 'image' then 1 else greatest(1, ceil(least(coalesce(duration_sec, 0), ${MAX_ANALYSED_SEC}) / ${SECONDS_PER_UNIT})) end
       from item_media where project_id = $1 and item_id = $2 and medium_id::text = n.subject)
  end`;

/**
 * Reserves the units of all the subjects or of none. Subjects that are already reserved are left as they are. The
 * month's row is locked by the upsert, whose condition sees its latest state: two callers who want the last unit do not
 * both get it.
 * @param month see `monthOf`
 * @returns whether everything is reserved now, and the units that were requested
 */
export async function reserveUnits(
  client: Queryable,
  { projectId, itemId }: ItemRef,
  subjects: readonly Subject[],
  month: string,
): Promise<{ granted: boolean; units: number }> {
  const [subject] = subjects;
  const isOne = subjects.length === 1 && subject !== undefined;
  const { rows } = await client.query<{ granted: boolean; units: number }>({
    name: isOne ? 'volume-reserve-one' : 'volume-reserve',
    text: reserveText(isOne ? '(values ($3::text, $4::bigint))' : 'unnest($3::text[], $4::bigint[])'),
    values: [
      projectId,
      itemId,
      ...(isOne
        ? [subject.subject, subject.revision]
        : [subjects.map((each) => each.subject), subjects.map((each) => each.revision)]),
      month,
    ],
  });
  return rows[0] ?? { granted: false, units: 0 };
}

/**
 * Returns the statement. A text has a single subject, which is not sent as an array: PostgreSQL would expect ten
 * elements, consider the generic plan too expensive, and plan the statement again for each text.
 * @param subjects SQL of the rows of subject and revision
 */
function reserveText(subjects: string): string {
  return `with need as (
             select n.subject, n.revision, coalesce(${UNITS}, 0)::int as units
               from ${subjects} as n (subject, revision)
              where not exists (select from volume_reservations r where r.project_id = $1 and r.item_id = $2
                                   and r.subject = n.subject and r.revision = n.revision)),
           total as (
             select coalesce(sum(n.units), 0)::int as units, (select monthly_volume from projects where id = $1) as most from need n),
           taken as (
             insert into analysis_volume as v (project_id, month, reserved)
             select $1, $5::date, units from total where units > 0 and (most is null or units <= most)
             on conflict (project_id, month) do update set reserved = v.reserved + excluded.reserved
              where v.used + v.reserved + excluded.reserved <= coalesce((select most from total), ${NO_LIMIT})
             returning true),
           kept as (
             insert into volume_reservations (project_id, item_id, subject, revision, month, units)
             select $1, $2, subject, revision, $5::date, units from need where units > 0 and exists (select from taken))
           select units = 0 or exists (select from taken) as granted, units from total`;
}

/**
 * SQL condition: the text of the item `i` of project `p` has no reservation, and its month has enough units left. Its
 * parameter is $3, the time that decides the month (null: the database's clock).
 */
export const CAN_USE_TEXT_UNITS = `(
  not exists (select from volume_reservations r where r.project_id = i.project_id and r.item_id = i.id)
  and ${TEXT_UNITS} + coalesce((select v.used + v.reserved from analysis_volume v where v.project_id = i.project_id
    and v.month = date_trunc('month', coalesce($3::timestamptz, now()) at time zone 'Europe/Moscow')::date), 0)
    <= coalesce(p.monthly_volume, ${NO_LIMIT}))`;

/**
 * Counts the text of an item as used without a reservation, in the transaction that stores its whole analysis: once for
 * each of `times` revisions. Like `reserveUnits`, it locks the month's row and sees its latest state. A repeated call
 * counts again: the same transaction must end the steps, so that none of them can end a second time.
 * @param month see `monthOf`
 * @returns false when the month has too few units left or the item has a reservation; the caller then stores nothing
 */
export async function consumeTextUnits(
  client: Queryable,
  { projectId, itemId }: ItemRef,
  times: number,
  month: string,
): Promise<boolean> {
  const use = async (): Promise<boolean> => {
    const { rowCount } = await client.query({
      name: 'volume-use',
      text: `update analysis_volume v set used = v.used + u.units
               from (select (${TEXT_UNITS} * $3::int)::bigint as units, coalesce(p.monthly_volume, ${NO_LIMIT}) as most
                       from items i join projects p on p.id = i.project_id where i.project_id = $1 and i.id = $2) u
              where v.project_id = $1 and v.month = $4::date and v.used + v.reserved + u.units <= u.most
                and not exists (select from volume_reservations where project_id = $1 and item_id = $2)`,
      values: [projectId, itemId, times, month],
    });
    return rowCount === 1;
  };
  if (await use()) return true;
  // The row of the month may be missing. If another item adds it first, nothing is added here, and the next try sees
  // it.
  await openMonth(client, projectId, month);
  return await use();
}

/**
 * Adds the row of a month, so that units are always counted by an update: only that fires the trigger for the day
 * (migration 0090).
 */
async function openMonth(client: Queryable, projectId: string, month: string): Promise<void> {
  await client.query('insert into analysis_volume (project_id, month) values ($1, $2::date) on conflict do nothing', [
    projectId,
    month,
  ]);
}

/**
 * The part of a statement that locks the months of `sums`, the earliest first, as everybody does, so that two items
 * with several months in common never deadlock. `MONTHS_LOCKED` waits for all of them.
 */
const LOCK_MONTHS = `locked as materialized (
             select month from analysis_volume where project_id = $1 and month in (select month from sums) order by month for no key update)`;
const MONTHS_LOCKED = '(select count(*) from locked) > 0';

/** Closes the reservations: those whose work was done count as used, the rest is released. */
export async function closeReservations(
  client: Queryable,
  { projectId, itemId }: ItemRef,
  ended: readonly (Reservation & { isDone: boolean })[],
): Promise<void> {
  if (ended.length === 0) return;
  await client.query({
    name: 'volume-close',
    text: `with over as (
             delete from volume_reservations r using unnest($3::text[], $4::bigint[], $5::boolean[]) as o (subject, revision, done)
              where r.project_id = $1 and r.item_id = $2 and r.subject = o.subject and r.revision = o.revision
             returning r.month, r.units, r.settled, o.done),
           sums as (
             select month, sum(units) as held, coalesce(sum(units) filter (where done), 0) as used from over where not settled group by month),
           ${LOCK_MONTHS}
           update analysis_volume v set reserved = v.reserved - s.held, used = v.used + s.used
             from sums s where ${MONTHS_LOCKED} and v.project_id = $1 and v.month = s.month`,
    values: [
      projectId,
      itemId,
      ended.map(({ subject }) => subject),
      ended.map(({ revision }) => revision),
      ended.map(({ isDone }) => isDone),
    ],
  });
}

/** Releases what a deleted item still held. Used units stay recorded, in case the item is restored. */
export async function releaseReservations(client: Queryable, { projectId, itemId }: ItemRef): Promise<void> {
  await client.query({
    name: 'volume-release',
    text: `with given as (
             delete from volume_reservations where project_id = $1 and item_id = $2 and not settled returning month, units),
           sums as (select month, sum(units) as held from given group by month),
           ${LOCK_MONTHS}
           update analysis_volume v set reserved = v.reserved - s.held from sums s where ${MONTHS_LOCKED} and v.project_id = $1 and v.month = s.month`,
    values: [projectId, itemId],
  });
}

/**
 * Returns the part of a statement that counts a subject's units as used, once. Its parameters are $1 project, $2 item,
 * and the given ones for subject and revision.
 */
export function settleCtes(subject: string, revision: string): string {
  return `settled as (
            update volume_reservations set settled = true
             where project_id = $1 and item_id = $2 and subject = ${subject} and revision = ${revision} and not settled
            returning month, units),
          counted as (
            update analysis_volume v set reserved = v.reserved - s.units, used = v.used + s.units
              from settled s where v.project_id = $1 and v.month = s.month)`;
}

/** A reservation's position among all of them. */
export interface ReservationCursor extends ItemRef, Subject {}

export interface AbandonedPage {
  /** Items that are deleted or finished and hold units that no plan may release any more. */
  items: ItemRef[];
  /** The last reservation that was checked; null at the end. */
  last: ReservationCursor | null;
}

/**
 * Searches the next `limit` reservations for abandoned ones. Their items have not changed for a minute and are deleted
 * or have no step left to run: the workflow was lost before it made the plan that closes the reservation.
 */
export async function listAbandoned(
  pool: Queryable,
  after: ReservationCursor | null,
  limit: number,
): Promise<AbandonedPage> {
  const { rows } = await pool.query<ReservationCursor & { isAbandoned: boolean }>({
    name: 'volume-abandoned',
    text: `select r.project_id as "projectId", r.item_id as "itemId", r.subject, r.revision::float8 as revision,
                  coalesce(i.updated_at < now() - interval '1 minute', true) and case when coalesce(i.deleted, true) then not r.settled
                    else not i.steps @? '$.*.state ? (@ != "done" && @ != "skipped" && @ != "failed")' end as "isAbandoned"
             from (select * from volume_reservations
                    where $1::text is null or (project_id, item_id, subject, revision) > ($1, $2, $3, $4::bigint)
                    order by project_id, item_id, subject, revision limit $5) r
             left join items i on i.project_id = r.project_id and i.id = r.item_id
            order by r.project_id, r.item_id, r.subject, r.revision`,
    values: [after?.projectId ?? null, after?.itemId ?? null, after?.subject ?? null, after?.revision ?? null, limit],
  });
  const items = rows.filter(({ isAbandoned }) => isAbandoned).map(({ projectId, itemId }) => ({ projectId, itemId }));
  return { items, last: rows.length === limit ? (rows.at(-1) ?? null) : null };
}

/** Returns projects with items that wait for units, each with the units left this month (null: no limit). */
export async function listProjectsThatWait(
  pool: Queryable,
  month: string,
): Promise<{ projectId: string; free: number | null }[]> {
  const { rows } = await pool.query<{ projectId: string; free: number | null }>({
    name: 'volume-projects-that-wait',
    text: `select p.id as "projectId", (p.monthly_volume - coalesce(v.used + v.reserved, 0))::float8 as free
             from projects p left join analysis_volume v on v.project_id = p.id and v.month = $1::date
            where (p.monthly_volume is null or p.monthly_volume > coalesce(v.used + v.reserved, 0))
              and exists (select from items i where i.project_id = p.id and i.waiting_units is not null and not i.deleted)
            order by p.id`,
    values: [month],
  });
  return rows;
}

/**
 * Queues waiting items that fit into the free units, oldest first, and hands them to the relay. Items that need more
 * than is free are skipped: one that is too large must not hold up all the others.
 * @param limit maximum number of items
 * @returns how many were queued
 */
export async function resumeItems(
  pool: Queryable,
  { projectId, free, limit, priority }: { projectId: string; free: number | null; limit: number; priority: number },
): Promise<number> {
  const { rows } = await pool.query<{ resumed: number }>({
    name: 'volume-resume',
    text: `with fitting as (
             select id, waiting_units, updated_at from items
              where project_id = $1 and waiting_units is not null and not deleted and ($2::float8 is null or waiting_units <= $2)
              order by updated_at, id limit $3),
           chosen as (
             select id from (select id, sum(waiting_units) over (order by updated_at, id) as upto from fitting) f
              where $2::float8 is null or upto <= $2),
           locked as (
             select id from items where project_id = $1 and id in (select id from chosen) and waiting_units is not null and not deleted
              order by id for update skip locked),
           resumed as (
             update items i set steps = (
                 select jsonb_object_agg(key, case when value ->> 'state' = 'waiting' then value - 'units' || '{"state": "queued"}' else value end)
                   from jsonb_each(i.steps))
               from locked l where i.project_id = $1 and i.id = l.id
             returning i.id, i.request_id),
           added as (${INSERT_INTO_OUTBOX} select 'item', $1, id, $4, request_id from resumed)
           select count(*)::int as resumed, case when count(*) > 0 then ${WAKE_RELAY} end from resumed`,
    values: [projectId, free, limit, priority],
  });
  return rows[0]?.resumed ?? 0;
}

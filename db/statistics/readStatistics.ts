/** Reads the counts of an item (migrations/0106_item_statistics.sql) and related figures. */
import type { DayCounts } from '../../domain/items/statistics.ts';
import { EVENTS_OF_ITEM, STATES_OF_ITEM } from '../popularity/itemRows.ts';
import type { Queryable } from '../pool.ts';

/** An item and a range of days since 1970, in UTC, both inclusive. */
export interface ItemPeriod {
  projectId: string;
  itemId: string;
  firstDay: number;
  lastDay: number;
}

const valuesOf = ({ projectId, itemId, firstDay, lastDay }: ItemPeriod): unknown[] => [
  projectId,
  itemId,
  firstDay,
  lastDay,
];

/** Returns counts by day and type; days without events are missing. */
export async function readDayCounts(pool: Queryable, period: ItemPeriod): Promise<DayCounts[]> {
  const { rows } = await pool.query<DayCounts>({
    name: 'item-statistics-days',
    text: `select s.day, s.type, s.events::float8 as events, s.people::float8 as people, s.valued::float8 as valued, s.value_sum as "valueSum", s.revenue
             from (values (false), (true)) as counted (of_states)
            cross join lateral (
              select * from item_statistics s
               where s.project_id = $1 and s.item_id = $2 and s.of_states = counted.of_states and s.day >= $3 and s.day <= $4 offset 0) s
            order by s.day, s.type collate "C"`,
    values: valuesOf(period),
  });
  return rows;
}

export interface DayImpressions {
  /** Day since 1970, in UTC. */
  day: number;
  count: number;
}

/** Returns impressions of all surfaces and positions; days without any are missing. */
export async function readDayImpressions(pool: Queryable, period: ItemPeriod): Promise<DayImpressions[]> {
  const { rows } = await pool.query<DayImpressions>({
    name: 'item-statistics-impressions',
    text: `select d.day, c.count
             from generate_series($3::integer, $4::integer) as d (day)
            cross join lateral (
              select sum(count)::float8 as count from impression_counts
               where project_id = $1 and day = date '1970-01-01' + d.day and item_id = $2) c
            where c.count is not null order by d.day`,
    values: valuesOf(period),
  });
  return rows;
}

/** Number of events of one type, and of their people. */
export interface PeopleOfType {
  /** Null means any type. */
  type: string | null;
  people: number;
}

/**
 * Counts the people of a period, each once, by type and in total. It reads the item's events of these days and all
 * states of the item, so the caller makes sure that they are few ({@link readRowsOfPeriod}).
 * @param stateTypes types of the mode `state`, where the value 0 revokes the state
 */
export async function readPeople(
  pool: Queryable,
  period: ItemPeriod,
  stateTypes: readonly string[],
): Promise<PeopleOfType[]> {
  const { rows } = await pool.query<PeopleOfType>({
    name: 'item-statistics-people',
    text: `with wanted as (select $2::text as item_id, $3::integer as first_day, $4::integer as last_day),
                done as materialized (
                  select e.type,
                         (select coalesce(i.merged_into, i.id) from identities i where i.project_id = $1 and i.id = e.identity_id and i.dead_at is null) as person
                    from wanted w cross join lateral (
                      select type, value, identity_id from (${EVENTS_OF_ITEM}) facts
                       union all
                      select type, value, identity_id from (${STATES_OF_ITEM}) states
                       where occurred_at < to_timestamp((w.last_day::bigint + 1) * 86400)) e
                   where not (e.type = any($5::text[]) and e.value = 0))
           select type, count(distinct person)::float8 as people from done where person is not null group by grouping sets ((type), ())`,
    values: [...valuesOf(period), stateTypes],
  });
  return rows;
}

/** Returns how many rows {@link readPeople} would read, according to the counts. */
export async function readRowsOfPeriod(pool: Queryable, period: ItemPeriod): Promise<number> {
  const { rows } = await pool.query<{ rows: number }>({
    name: 'item-statistics-rows',
    text: `select ((select coalesce(sum(events), 0) from item_statistics
                     where project_id = $1 and item_id = $2 and not of_states and day >= $3 and day <= $4)
                 + (select coalesce(sum(events), 0) from item_statistics
                     where project_id = $1 and item_id = $2 and of_states))::float8 as rows`,
    values: valuesOf(period),
  });
  return rows[0]?.rows ?? 0;
}

/** The remaining data of deleted people: sums without a day. */
export interface LeftOfDeleted {
  type: string;
  events: number;
}

export async function readLeftOfDeleted(pool: Queryable, projectId: string, itemId: string): Promise<LeftOfDeleted[]> {
  const { rows } = await pool.query<LeftOfDeleted>({
    name: 'item-statistics-deleted',
    text: `select type, events::float8 as events from item_event_totals where project_id = $1 and item_id = $2 order by type collate "C"`,
    values: [projectId, itemId],
  });
  return rows;
}

/** Deletes old counts. @returns how many rows were deleted, at most `limit` */
export async function deleteOldStatistics(pool: Queryable, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'item-statistics-expire',
    text: 'delete from item_statistics where ctid = any(array(select ctid from item_statistics where day < $1 order by day limit $2))',
    values: [before, limit],
  });
  return rowCount ?? 0;
}

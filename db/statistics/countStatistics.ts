/** Counts events of people on items, by day and type, from the events stored now. */
import type pg from 'pg';
import { arrayParameter } from '../arrays.ts';
import { AMOUNT_OF_EVENT, summable } from '../events/sumsWithinRange.ts';
import { LOCK_KEYS } from '../lockKeys.ts';
import { inTransaction } from '../pool.ts';
import type { CountedItem } from '../popularity/countPopularity.ts';
import { EVENTS_OF_ITEM, STATES_OF_ITEM } from '../popularity/itemRows.ts';
import { DAY_OF } from '../popularity/recordChanges.ts';

export interface StatisticsCounting {
  projectId: string;
  /** True to count rows of event_states, whatever their days; false to count events of the items' days. */
  ofStates: boolean;
  /** Types of the mode `state`, where the value 0 revokes the state. */
  stateTypes: readonly string[];
  /** The oldest day that is kept. */
  oldestDay: number;
}

/** Advisory lock that nothing else uses: when two counts include the same item, the later one stays. */
const TURN = LOCK_KEYS.statisticsCount;
const LAST_DAY = 2 ** 31 - 1;

/**
 * Counts items again and stores the differences. Deleted people do not count, and a device counts as its user. People
 * are looked up one by one and not joined, so that no plan reads all people of a project (db/identities/identities.ts).
 * @returns how many rows were changed
 */
export async function countStatistics(
  pool: pg.Pool,
  items: readonly CountedItem[],
  { projectId, ofStates, stateTypes, oldestDay }: StatisticsCounting,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [TURN]);
    const { rows } = await client.query<{ changed: number }>(ofStates ? COUNT_STATES : COUNT_EVENTS, [
      projectId,
      arrayParameter(items.map(({ itemId }) => itemId)),
      items.map(({ firstDay }) => (ofStates ? oldestDay : Math.max(oldestDay, firstDay))),
      items.map(({ lastDay }) => (ofStates ? LAST_DAY : lastDay)),
      stateTypes,
    ]);
    return rows[0]?.changed ?? 0;
  });
}

const COUNTED = 'events, people, valued, value_sum, revenue';

const statementOf = (ofStates: boolean): string => `
  with wanted as materialized (
    select * from unnest($2::text[], $3::integer[], $4::integer[]) as w (item_id, first_day, last_day)),
  done as materialized (
    select w.item_id, ${DAY_OF('e.occurred_at')} as day, e.type, e.identity_id, count(*) as events, count(e.value) as valued,
           coalesce(sum(${summable('e.value')}), 0) as value_sum, ${ofStates ? '0::float8' : `sum(${AMOUNT_OF_EVENT})`} as revenue
      from wanted w
     cross join lateral (${ofStates ? STATES_OF_ITEM : EVENTS_OF_ITEM}) e
     where not (e.type = any($5::text[]) and e.value = 0)
     group by 1, 2, 3, 4),
  by_person as materialized (
    select d.*, (select coalesce(i.merged_into, i.id) from identities i where i.project_id = $1 and i.id = d.identity_id and i.dead_at is null) as person
      from done d),
  cell as materialized (
    select item_id, day, type, sum(events)::bigint as events, count(distinct person) as people, sum(valued)::bigint as valued,
           sum(value_sum) as value_sum, sum(revenue) as revenue
      from by_person where person is not null group by item_id, day, type),
  known as materialized (
    select s.ctid as tid, s.item_id, s.day, s.type
      from wanted w
     cross join lateral (
       select ctid, item_id, day, type from item_statistics s
        where s.project_id = $1 and s.item_id = w.item_id and s.of_states = ${ofStates} and s.day >= w.first_day and s.day <= w.last_day
       offset 0) s),
  gone as (
    delete from item_statistics where ctid = any(array(
      select k.tid from known k left join cell c on c.item_id = k.item_id and c.day = k.day and c.type = k.type
       where c.item_id is null))
    returning 1),
  put as (
    insert into item_statistics as s (project_id, item_id, of_states, day, type, ${COUNTED})
    select $1, item_id, ${ofStates}, day, type, ${COUNTED} from cell
    on conflict (project_id, item_id, of_states, day, type) do update set (${COUNTED}) = (excluded.events, excluded.people, excluded.valued, excluded.value_sum, excluded.revenue)
     where (s.events, s.people, s.valued, s.value_sum, s.revenue)
           is distinct from (excluded.events, excluded.people, excluded.valued, excluded.value_sum, excluded.revenue)
    returning 1)
  select ((select count(*) from gone) + (select count(*) from put))::integer as changed`;

const COUNT_EVENTS = statementOf(false);
const COUNT_STATES = statementOf(true);

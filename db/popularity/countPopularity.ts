/** Counts the popularity of items from the stored events of people. */
import type pg from 'pg';
import { regionKeysOf } from '../../domain/dictionaries/regions.ts';
import type { WeightBand } from '../../domain/events/popularityBands.ts';
import { arrayParameter } from '../arrays.ts';
import { LOCK_KEYS } from '../lockKeys.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import type { ChangedDays } from './waitingChanges.ts';
import { EVENTS_OF_ITEM, STATES_OF_ITEM } from './itemRows.ts';
import { DAY_OF } from './recordChanges.ts';

export type CountedItem = Pick<ChangedDays, 'itemId' | 'firstDay' | 'lastDay'>;

export interface Counting {
  projectId: string;
  /** True to count rows of event_states, whatever their days; false to count events of the items' days. */
  ofStates: boolean;
  bands: readonly WeightBand[];
  /** The oldest day that is kept. */
  oldestDay: number;
}

/** Advisory lock that nothing else uses: counts run one after the other, so that their versions are in order too. */
const TURN = LOCK_KEYS.popularityCount;

/**
 * Counts items again and stores the differences.
 * @returns how many rows were changed
 */
export async function countItems(pool: pg.Pool, items: readonly CountedItem[], counting: Counting): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [TURN]);
    return storeCounts(client, items, counting, cellsOf(await readCounts(client, items, counting)));
  });
}

interface CountRow {
  itemId: string;
  day: number;
  city: string | null;
  country: string | null;
  score: number;
}

/**
 * Returns the counts. Each person counts once for an item and day, by the strongest event. A device counts as its user,
 * and deleted people do not count. People are looked up one by one and not joined, so that no plan reads all people of
 * a project (db/identities/identities.ts).
 */
async function readCounts(
  client: Queryable,
  items: readonly CountedItem[],
  { projectId, ofStates, bands, oldestDay }: Counting,
): Promise<CountRow[]> {
  const { rows } = await client.query<CountRow>(
    `with met as materialized (
       select w.item_id, ${DAY_OF('e.occurred_at')} as day,
              (select coalesce(i.merged_into, i.id) from identities i where i.project_id = $1 and i.id = e.identity_id and i.dead_at is null) as person,
              max(b.weight) as weight
         from unnest($2::text[], $3::integer[], $4::integer[]) as w (item_id, first_day, last_day)
        cross join lateral (${ofStates ? STATES_OF_ITEM : EVENTS_OF_ITEM}) e
         join unnest($5::text[], $6::float8[], $7::float8[], $8::float8[]) as b (type, least, below, weight)
           on b.type = e.type and case when e.value is null then b.least is null else e.value >= b.least and e.value < b.below end
        group by 1, 2, 3)
     select m.item_id as "itemId", m.day, p.city, p.country, sum(m.weight) as score
       from met m
       left join lateral (select city, country from profiles p where p.project_id = $1 and p.identity_id = m.person offset 0) p on true
      where m.person is not null group by 1, 2, 3, 4`,
    [
      projectId,
      arrayParameter(items.map(({ itemId }) => itemId)),
      items.map(({ firstDay }) => (ofStates ? oldestDay : Math.max(oldestDay, firstDay))),
      items.map(({ lastDay }) => lastDay),
      bands.map(({ type }) => type),
      bands.map(({ least }) => least),
      bands.map(({ below }) => below),
      bands.map(({ weight }) => weight),
    ],
  );
  return rows;
}

interface Cell {
  itemId: string;
  region: string;
  day: number;
  score: number;
}

/** Returns sums by region; the sum of everybody is under ''. */
function cellsOf(rows: readonly CountRow[]): Cell[] {
  const cells = new Map<string, Cell>();
  for (const { itemId, day, city, country, score } of rows)
    for (const region of ['', ...regionKeysOf({ city, country })]) {
      const key = `${itemId}\0${region}\0${day}`;
      const cell = cells.get(key) ?? { itemId, region, day, score: 0 };
      cell.score += score;
      cells.set(key, cell);
    }
  return [...cells.values()];
}

/** Rounds to the digits that sums of the same numbers in a different order have in common. */
const rounded = (score: number): number => Number(score.toPrecision(6));

/** Stores the cells and deletes the items' other rows; unchanged rows are not written. */
async function storeCounts(
  client: Queryable,
  items: readonly CountedItem[],
  { projectId, ofStates, oldestDay }: Counting,
  cells: readonly Cell[],
): Promise<number> {
  const { rows } = await client.query<{ changed: number }>(
    `with cell as materialized (
       select * from unnest($6::text[], $7::text[], $8::integer[], $9::real[]) as c (item_id, region, day, score)),
     known as materialized (
       select p.ctid as tid, p.item_id, p.region, p.day
         from unnest($3::text[], $4::integer[], $5::integer[]) as w (item_id, first_day, last_day)
        cross join lateral (
          select ctid, item_id, region, day from item_popularity p
           where p.project_id = $1 and p.item_id = w.item_id and p.of_states = $2 and p.day >= w.first_day and p.day <= w.last_day offset 0) p),
     gone as (
       delete from item_popularity where ctid = any(array(
         select k.tid from known k left join cell c on c.item_id = k.item_id and c.region = k.region and c.day = k.day
          where c.item_id is null))
       returning item_id),
     put as (
       insert into item_popularity as p (project_id, item_id, of_states, region, day, score)
       select $1, item_id, $2, region, day, score from cell
       on conflict (project_id, item_id, of_states, region, day) do update set score = excluded.score where p.score <> excluded.score
       returning item_id),
     changed as (select item_id from gone union all select item_id from put),
     told as (
       insert into popularity_versions (project_id, item_id, version)
       select $1, item_id, nextval('popularity_version') from (select distinct item_id from changed) c
       on conflict (project_id, item_id) do update set version = excluded.version)
     select count(*)::integer as changed from changed`,
    [
      projectId,
      ofStates,
      arrayParameter(items.map(({ itemId }) => itemId)),
      items.map(({ firstDay }) => (ofStates ? oldestDay : Math.max(oldestDay, firstDay))),
      items.map(({ lastDay }) => (ofStates ? LAST_DAY : lastDay)),
      arrayParameter(cells.map(({ itemId }) => itemId)),
      arrayParameter(cells.map(({ region }) => region)),
      cells.map(({ day }) => day),
      cells.map(({ score }) => rounded(score)),
    ],
  );
  return rows[0]?.changed ?? 0;
}

const LAST_DAY = 2 ** 31 - 1;

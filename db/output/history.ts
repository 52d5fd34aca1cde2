/** The part of a person's history that an output request needs, in one statement, with each part packed as JSON. */
import type { EventType } from '../../domain/events/types.ts';
import type { Met } from '../../domain/output/signals.ts';
import type { Queryable } from '../pool.ts';

/** The fields of a type that output uses. */
export type OutputType = Pick<
  EventType,
  'code' | 'mode' | 'weight' | 'value_map' | 'is_purchase' | 'hides_item' | 'suppress_similar_days'
>;

/** The event of an item and type that hides or suppresses. */
export type Mark = Omit<Met, 'value'>;

export interface Fact extends Met {
  /** Set on an event that an order was expanded into. */
  orderId: string | null;
}

export interface UnexpandedOrder {
  orderId: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  /** Its items; empty for an order that is not `created`. */
  items: readonly string[];
}

export interface History {
  marks: readonly Mark[];
  /** The latest events that show the person's taste. */
  facts: readonly Fact[];
  states: readonly Fact[];
  /** Orders that their events do not reflect yet. */
  orders: readonly UnexpandedOrder[];
}

export interface HistoryWanted {
  /** Identities, the root first. */
  memberIds: readonly string[];
  types: readonly OutputType[];
  /** True to read more than the marks. */
  signals: boolean;
}

const DAY_MS = 86_400_000;
/** Maximum number of facts, and of states: earlier ones add little. */
const MOST_MET = 200;
/** Maximum number of unexpanded orders, and of the lines of each; only an order from moments ago is unexpanded. */
const MOST_LINES = 200;

type PackedMarks = [type: string, items: string[], seconds: number[]][];
type PackedMet = [item: string, type: string, value: number | null, seconds: number, orderId: string | null][];
type PackedOrders = [orderId: string, seconds: number, items: string[]][];

interface HistoryRow {
  factMarks?: PackedMarks | null;
  stateMarks?: PackedMarks | null;
  facts?: PackedMet | null;
  states?: PackedMet | null;
  orders?: PackedOrders | null;
}

/** Reads the history. @throws when the database does not answer */
export async function readHistory(pool: Queryable, projectId: string, wanted: HistoryWanted): Promise<History> {
  const { memberIds, types, signals } = wanted;
  const marking = types.filter((type) => type.hides_item || type.suppress_similar_days > 0);
  const parts: Parts = {
    isOne: memberIds.length === 1,
    factMarks: marking.some(({ mode }) => mode === 'fact'),
    stateMarks: marking.some(({ mode }) => mode !== 'fact'),
    signals,
  };
  const row = await readParts(pool, parts, [
    projectId,
    memberIds,
    codesOf(marking.filter((type) => type.hides_item)),
    codesOf(marking),
    new Date(Date.now() - DAY_MS * Math.max(0, ...marking.map((type) => type.suppress_similar_days))),
    codesOf(types.filter(({ mode }) => mode === 'max')),
  ]);
  return {
    marks: [...unpackMarks(row.factMarks), ...unpackMarks(row.stateMarks)],
    facts: unpackMet(row.facts),
    states: unpackMet(row.states),
    orders: (row.orders ?? []).map(([orderId, seconds, items]) => ({ orderId, occurredAt: seconds * 1000, items })),
  };
}

const codesOf = (types: readonly OutputType[]): string[] => types.map(({ code }) => code);

/** The parts that the statement has. PostgreSQL plans each combination once per connection. */
interface Parts {
  /** The person has no identity beside the root. */
  isOne: boolean;
  factMarks: boolean;
  stateMarks: boolean;
  signals: boolean;
}

async function readParts(pool: Queryable, parts: Parts, values: unknown[]): Promise<HistoryRow> {
  const { isOne, factMarks, stateMarks, signals } = parts;
  const columns = [
    ...(factMarks ? [`(${FACT_MARKS}) as "factMarks"`] : []),
    ...(stateMarks ? [`(${stateMarksOf(isOne)}) as "stateMarks"`] : []),
    ...(signals
      ? [`(${LATEST_FACTS}) as facts`, `(${latestStatesOf(isOne)}) as states`, `(${UNEXPANDED}) as orders`]
      : []),
  ];
  if (columns.length === 0) return {};
  const { rows } = await pool.query<HistoryRow>({
    name: `output-history-${[isOne, factMarks, stateMarks, signals].map(Number).join('')}`,
    text: `${PARAMETERS} select ${columns.join(', ')}`,
    values,
  });
  return rows[0] ?? {};
}

/**
 * Project, identities, codes that hide, codes that hide or suppress, the start of the suppression, and codes of `max`.
 * They are named here because not every combination of parts uses all of them.
 */
const PARAMETERS =
  'with parameters as (select $1::text, $2::bigint[], $3::text[], $4::text[], $5::timestamptz, $6::text[])';
const MARKING = `project_id = $1 and identity_id = any($2::bigint[]) and type = any($4::text[])`;
const STILL_MARKS = '(type = any($3::text[]) or occurred_at > $5::timestamptz)';
const SECONDS = 'extract(epoch from occurred_at)';
/** Packs the marks of a type into one entry: one entry for each mark costs more than finding it. */
const packMarks = (from: string): string => `
  select json_agg(json_build_array(type, items, times)) from (
    select type, json_agg(item_id) as items, json_agg(${SECONDS}) as times from ${from} group by type) by_type`;

/** Read from the index events_met alone, so the person with the longest history is read as fast as its entries. */
const FACT_MARKS = packMarks(`(
  select item_id, type, max(occurred_at) as occurred_at from events
   where ${MARKING} and ${STILL_MARKS} group by item_id, type) latest`);

/**
 * Before a link is finished, device and user may each have a row of an item and type. The one counts that the move of
 * the device's history keeps (db/people/history.ts).
 */
const KEPT_FIRST = `
  item_id, type, case when type = any($6::text[]) then value end desc nulls last,
  case when not type = any($6::text[]) then occurred_at end desc nulls last, identity_id = ($2::bigint[])[1] desc, occurred_at desc`;
/** A `state` of the value 0 revokes an earlier one; only the row that counts is checked. */
const HOLDS = '(type = any($6::text[]) or value <> 0)';

const stateMarksOf = (isOne: boolean): string =>
  isOne
    ? packMarks(`event_states where ${MARKING} and ${STILL_MARKS} and ${HOLDS}`)
    : packMarks(`(
        select distinct on (item_id, type) item_id, type, value, occurred_at from event_states where ${MARKING}
         order by ${KEPT_FIRST}) counting where ${STILL_MARKS} and ${HOLDS}`);

const packMet = (from: string): string =>
  `select json_agg(json_build_array(item_id, type, value, ${SECONDS}, order_id)) from (${from}) latest`;

/** The latest facts of each identity are read from the index events_history; the latest of all of these count. */
const LATEST_FACTS = packMet(`
  select own.* from unnest($2::bigint[]) as member (id)
   cross join lateral (
     select item_id, type, value, occurred_at, case when id like 'o:%' then order_id end as order_id from events
      where project_id = $1 and identity_id = member.id
      order by occurred_at desc limit ${MOST_MET}) own
   order by own.occurred_at desc limit ${MOST_MET}`);

const latestStatesOf = (isOne: boolean): string => {
  const own = 'from event_states where project_id = $1 and identity_id = any($2::bigint[])';
  const counting = isOne ? `select * ${own}` : `select distinct on (item_id, type) * ${own} order by ${KEPT_FIRST}`;
  return packMet(`
    select item_id, type, value, occurred_at, null as order_id from (${counting}) counting
     where ${HOLDS} order by occurred_at desc limit ${MOST_MET}`);
};

/** An accepted order counts before it has become events. */
const UNEXPANDED = `
  select json_agg(json_build_array(order_id, ${SECONDS}, items)) from (
    select o.order_id, o.occurred_at, array(
             select l.item_id from order_lines l
              where l.project_id = $1 and l.order_id = o.order_id and o.status = 'created'
              order by l.item_id limit ${MOST_LINES}) as items
      from orders o
     where o.project_id = $1 and o.identity_id = any($2::bigint[]) and o.expanded_revision < o.revision
     order by o.occurred_at desc limit ${MOST_LINES}) unexpanded`;

function unpackMarks(packed: PackedMarks | null | undefined): Mark[] {
  return (packed ?? []).flatMap(([type, items, seconds]) =>
    items.map((itemId, at) => ({ itemId, type, occurredAt: (seconds[at] ?? 0) * 1000 })),
  );
}

function unpackMet(packed: PackedMet | null | undefined): Fact[] {
  return (packed ?? []).map(([itemId, type, value, seconds, orderId]) => ({
    itemId,
    type,
    value,
    occurredAt: seconds * 1000,
    orderId,
  }));
}

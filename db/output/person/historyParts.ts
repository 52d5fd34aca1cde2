/** The parts of a person's history as SQL, each packed as JSON: a row for each event costs more than finding it. */
import type { Interaction } from '../../../domain/output/itemSignals.ts';
import { isUnexpanded, unexpandedItems } from './unexpandedOrders.ts';

/** The event of an item and type that hides or suppresses. */
export type ExclusionEvent = Omit<Interaction, 'value'>;

export interface Fact extends Interaction {
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
  marks: readonly ExclusionEvent[];
  /** The latest events that show the person's taste. */
  facts: readonly Fact[];
  states: readonly Fact[];
  /** Orders that their events do not reflect yet. */
  orders: readonly UnexpandedOrder[];
}

/** SQL expressions for the values on which the parts depend; the project is $1. */
export interface HistoryOperands {
  /** The identities, the root first: an array of bigint. */
  members: string;
  /** Codes of types that hide, of those that hide or suppress, and of those in the mode `max`: arrays of text. */
  hidingTypes: string;
  exclusionTypes: string;
  maxTypes: string;
  /** A mark of a type that only suppresses counts if its event occurred after this time. */
  since: string;
  /** Code of the purchase type, if it hides or suppresses: a text. */
  purchaseType: string;
}

/** Maximum number of facts, and of states: no more items count (output/models/itemModel.ts). */
const MAX_MET = 500;
/** Maximum number of unexpanded orders, and of the lines of each; only an order from moments ago is unexpanded. */
const MAX_LINES = 200;
const SECONDS = 'extract(epoch from occurred_at)';

type PackedMarks = [type: string, items: string[], seconds: number[]][];
type PackedMet = [item: string, type: string, value: number | null, seconds: number, orderId: string | null][];
type PackedOrders = [orderId: string, seconds: number, items: string[]][];

/** The parts as they are read; a missing one was not requested, and null is empty. */
export interface PackedHistory {
  factMarks?: PackedMarks | null;
  orderMarks?: PackedMarks | null;
  stateMarks?: PackedMarks | null;
  facts?: PackedMet | null;
  states?: PackedMet | null;
  orders?: PackedOrders | null;
}

const ofPerson = ({ members }: HistoryOperands): string => `project_id = $1 and identity_id = any(${members})`;
const isMark = (operands: HistoryOperands): string =>
  `${ofPerson(operands)} and type = any(${operands.exclusionTypes})`;
const stillMarks = ({ hidingTypes, since }: HistoryOperands): string =>
  `(type = any(${hidingTypes}) or occurred_at > ${since})`;
/** A `state` of the value 0 revokes an earlier one; only the row that counts is checked. */
const holds = ({ maxTypes }: HistoryOperands): string => `(type = any(${maxTypes}) or value <> 0)`;

/** Packs the marks of a type into one entry: one entry for each mark costs more than finding it. */
const packMarks = (from: string): string => `
  select json_agg(json_build_array(type, items, times)) from (
    select type, json_agg(item_id) as items, json_agg(${SECONDS}) as times from ${from} group by type) by_type`;

const packMet = (from: string): string =>
  `select json_agg(json_build_array(item_id, type, value, ${SECONDS}, order_id)) from (${from}) latest`;

/**
 * Before a link is finished, device and user may each have a row of an item and type. Of the two, only the one counts
 * that the move of the device's history will keep (db/people/moveHistory.ts).
 */
const keptFirst = ({ members, maxTypes }: HistoryOperands): string => `
  item_id, type, case when type = any(${maxTypes}) then value end desc nulls last,
  case when not type = any(${maxTypes}) then occurred_at end desc nulls last, identity_id = (${members})[1] desc, occurred_at desc`;

/** Reads only the index events_met, so that even the longest history costs no more than its index entries. */
export const factMarks = (operands: HistoryOperands): string =>
  packMarks(`(
    select item_id, type, max(occurred_at) as occurred_at from events
     where ${isMark(operands)} and ${stillMarks(operands)} group by item_id, type) latest`);

/** An accepted order marks its items before it has become events. */
export const orderMarks = (operands: HistoryOperands): string =>
  packMarks(`(
    select * from (
      select ${operands.purchaseType} as type, item_id, occurred_at from (${unexpandedItems(operands.members)}) ordered) mark
     where ${stillMarks(operands)}) latest`);

/** @param isOne the person has no identity other than the root */
export const stateMarks = (operands: HistoryOperands, isOne: boolean): string =>
  isOne
    ? packMarks(`event_states where ${isMark(operands)} and ${stillMarks(operands)} and ${holds(operands)}`)
    : packMarks(`(
        select distinct on (item_id, type) item_id, type, value, occurred_at from event_states where ${isMark(operands)}
         order by ${keptFirst(operands)}) counting where ${stillMarks(operands)} and ${holds(operands)}`);

/** The latest facts of each identity are read from the index events_history; the latest of all of these count. */
export const latestFacts = ({ members }: HistoryOperands): string =>
  packMet(`
    select own.* from unnest(${members}) as member (id)
     cross join lateral (
       select item_id, type, value, occurred_at, case when id like 'o:%' then order_id end as order_id from events
        where project_id = $1 and identity_id = member.id
        order by occurred_at desc limit ${MAX_MET}) own
     order by own.occurred_at desc limit ${MAX_MET}`);

/** @param isOne the person has no identity other than the root */
export const latestStates = (operands: HistoryOperands, isOne: boolean): string => {
  const own = `from event_states where ${ofPerson(operands)}`;
  const counting = isOne
    ? `select * ${own}`
    : `select distinct on (item_id, type) * ${own} order by ${keptFirst(operands)}`;
  return packMet(`
    select item_id, type, value, occurred_at, null as order_id from (${counting}) counting
     where ${holds(operands)} order by occurred_at desc limit ${MAX_MET}`);
};

/** An accepted order counts before it has become events. */
export const unexpandedOrders = ({ members }: HistoryOperands): string => `
  select json_agg(json_build_array(order_id, ${SECONDS}, items)) from (
    select o.order_id, o.occurred_at, array(
             select l.item_id from order_lines l
              where l.project_id = $1 and l.order_id = o.order_id and o.status = 'created'
              order by l.item_id limit ${MAX_LINES}) as items
      from orders o
     where ${isUnexpanded(members)}
     order by o.occurred_at desc limit ${MAX_LINES}) unexpanded`;

export function unpackHistory({
  factMarks: ofFacts,
  orderMarks: ofOrders,
  stateMarks: ofStates,
  ...row
}: PackedHistory): History {
  return {
    marks: [...unpackMarks(ofFacts), ...unpackMarks(ofOrders), ...unpackMarks(ofStates)],
    facts: unpackMet(row.facts),
    states: unpackMet(row.states),
    orders: (row.orders ?? []).map(([orderId, seconds, items]) => ({ orderId, occurredAt: seconds * 1000, items })),
  };
}

function unpackMarks(packed: PackedMarks | null | undefined): ExclusionEvent[] {
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

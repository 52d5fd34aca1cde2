/** What a request reads of its person's taste: no cache, so that an event that was answered counts on the next request. */
import { itemSignals, type ItemSignal, type Met, type SignalType } from '../../domain/output/signals.ts';
import type { Queryable } from '../pool.ts';
import type { OutputPerson } from './person.ts';

/** Facts, and as many states: what was met before them says little beside them. */
const MOST_MET = 200;
/** Lines of orders that are not events yet; only an order of moments ago has any. */
const MOST_LINES = 200;

export interface PersonSignals {
  /** The item that was met last first. */
  items: readonly ItemSignal[];
  interests: readonly string[];
  followedAuthors: readonly string[];
  city: string | null;
  country: string | null;
}

export const NO_SIGNALS: PersonSignals = { items: [], interests: [], followedAuthors: [], city: null, country: null };

interface TypeRow extends SignalType {
  mode: string;
  isPurchase: boolean;
}

type Person = Pick<OutputPerson, 'memberIds' | 'personalization'>;

/** Nothing of somebody unknown, or who does not want personalization. */
export async function readSignals(pool: Queryable, projectId: string, person: Person | null): Promise<PersonSignals> {
  if (!person?.personalization) return NO_SIGNALS;
  const { memberIds: ids } = person;
  const [types, profile, facts, states, ordered] = await Promise.all([
    readTypes(pool, projectId),
    readTastes(pool, projectId, ids),
    readFacts(pool, projectId, ids),
    readStates(pool, projectId, ids),
    readUnexpanded(pool, projectId, ids),
  ]);
  const purchase = types.find(({ isPurchase }) => isPurchase)?.code ?? '';
  const outdated = new Set(ordered.orders);
  const met = [
    ...facts.filter(({ orderId }) => orderId === null || !outdated.has(orderId)),
    ...states,
    ...ordered.lines.map((line) => ({ ...line, type: purchase })),
  ];
  const items = itemSignals(met, new Map(types.map((type) => [type.code, type])), Date.now());
  return { ...profile, items };
}

async function readTypes(pool: Queryable, projectId: string): Promise<TypeRow[]> {
  const { rows } = await pool.query<TypeRow>({
    name: 'output-signal-types',
    text: `select code, mode, weight, value_map, is_purchase as "isPurchase" from event_types where project_id = $1 and weight <> 0`,
    values: [projectId],
  });
  return rows;
}

interface ProfileRow {
  interests: string[] | null;
  followedAuthors: string[] | null;
  city: string | null;
  country: string | null;
}

/** Of all profiles: before a link is finished, the device still has one of its own. */
async function readTastes(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Omit<PersonSignals, 'items'>> {
  const { rows } = await pool.query<ProfileRow>({
    name: 'output-tastes',
    text: `select interests, followed_authors as "followedAuthors", city, country from profiles
            where project_id = $1 and identity_id = any($2::bigint[])
            order by identity_id <> ($2::bigint[])[1]`,
    values: [projectId, ids],
  });
  return {
    interests: [...new Set(rows.flatMap(({ interests }) => interests ?? []))],
    followedAuthors: [...new Set(rows.flatMap(({ followedAuthors }) => followedAuthors ?? []))],
    city: rows.find(({ city }) => city !== null)?.city ?? null,
    country: rows.find(({ country }) => country !== null)?.country ?? null,
  };
}

/** Several in one value: a row for each costs the driver more than the database. */
type Packed = [item: string, type: string, value: number | null, seconds: number, orderId: string | null][];

interface Fact extends Met {
  /** Of an event that an order was expanded into. */
  orderId: string | null;
}

const PACKED = 'json_agg(json_build_array(item_id, type, value, extract(epoch from occurred_at), order_id)) as met';

function unpack(rows: readonly { met: Packed | null }[]): Fact[] {
  return (rows[0]?.met ?? []).map(([itemId, type, value, seconds, orderId]) => ({
    itemId,
    type,
    value,
    occurredAt: seconds * 1000,
    orderId,
  }));
}

/** The latest of each identity are read from the index events_history; the latest of them count. */
async function readFacts(pool: Queryable, projectId: string, ids: readonly string[]): Promise<Fact[]> {
  const { rows } = await pool.query<{ met: Packed | null }>({
    name: 'output-latest-facts',
    text: `select ${PACKED} from (
             select own.* from unnest($2::bigint[]) as member (id)
              cross join lateral (
                select item_id, type, value, occurred_at, case when id like 'o:%' then order_id end as order_id from events
                 where project_id = $1 and identity_id = member.id
                 order by occurred_at desc limit ${MOST_MET}) as own
              order by own.occurred_at desc limit ${MOST_MET}) as latest`,
    values: [projectId, ids],
  });
  return unpack(rows);
}

const COUNTING_FIRST = `order by s.item_id, s.type, case when t.mode = 'max' then s.value end desc nulls last,
  s.occurred_at desc, s.identity_id = ($2::bigint[])[1] desc`;

/**
 * Of an item and type that several identities have, the row counts that a link would keep: the largest value, or the
 * latest state. A state of the value 0 was taken back.
 */
async function readStates(pool: Queryable, projectId: string, ids: readonly string[]): Promise<Fact[]> {
  const isOne = ids.length === 1;
  const { rows } = await pool.query<{ met: Packed | null }>({
    name: `output-latest-states-${isOne ? 'one' : 'members'}`,
    text: `select ${PACKED} from (
             select item_id, type, value, occurred_at, null as order_id from (
               select ${isOne ? '' : 'distinct on (s.item_id, s.type)'} s.*, t.mode
                 from event_states s join event_types t on t.project_id = $1 and t.code = s.type
                where s.project_id = $1 and s.identity_id = any($2::bigint[])
                ${isOne ? '' : COUNTING_FIRST}) as counting
              where mode = 'max' or value <> 0
              order by occurred_at desc limit ${MOST_MET}) as latest`,
    values: [projectId, ids],
  });
  return unpack(rows);
}

interface Unexpanded {
  /** Those of which the events do not tell yet what they are. */
  orders: readonly string[];
  lines: readonly Omit<Met, 'type'>[];
}

/** An order that was answered counts before it has become events. */
async function readUnexpanded(pool: Queryable, projectId: string, ids: readonly string[]): Promise<Unexpanded> {
  const { rows } = await pool.query<{ orderId: string; occurredAt: Date; items: string[] }>({
    name: 'output-unexpanded-orders',
    text: `select o.order_id as "orderId", o.occurred_at as "occurredAt",
                  array(select l.item_id from order_lines l
                         where l.project_id = $1 and l.order_id = o.order_id and o.status = 'created'
                         order by l.item_id limit ${MOST_LINES}) as items
             from orders o
            where o.project_id = $1 and o.identity_id = any($2::bigint[]) and o.expanded_revision < o.revision
            order by o.occurred_at desc limit ${MOST_LINES}`,
    values: [projectId, ids],
  });
  return {
    orders: rows.map(({ orderId }) => orderId),
    lines: rows.flatMap(({ occurredAt, items }) =>
      items.map((itemId) => ({ itemId, value: null, occurredAt: occurredAt.getTime() })),
    ),
  };
}

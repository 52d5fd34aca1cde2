/** What a request reads of the person it is for: no cache, so that what was answered holds on the next request. */
import { EVENT_MODES, type EventMode } from '../../domain/eventTypes.ts';
import type { Identifier } from '../../domain/identity.ts';
import { findPerson } from '../identities.ts';
import { memberIds } from '../people/members.ts';
import type { Queryable } from '../pool.ts';

const DAY_MS = 86_400_000;

export interface OutputPerson {
  /** The identity that snapshots are kept under (decimal). */
  rootId: string;
  /** All identities under which history is stored. */
  memberIds: readonly string[];
  personalization: boolean;
  excludedInterests: readonly string[];
  hiddenAuthors: readonly string[];
  /** Items hidden by an event whose type hides. */
  hiddenItems: readonly string[];
  /** Items whose like is not wanted for a while, by events of types with suppress_similar_days; the latest first. */
  suppressedItems: readonly string[];
}

/**
 * The person behind an identifier, as the intake finds it, with the history of all that belongs to the person. Creates
 * nobody.
 * @param identifiers the one that decides first; if nobody has that one, the others do not count
 * @returns null for somebody unknown
 */
export async function readOutputPerson(
  pool: Queryable,
  projectId: string,
  [identifier]: readonly Identifier[],
): Promise<OutputPerson | null> {
  if (!identifier) return null;
  const [rootId, types] = await Promise.all([
    findPerson(pool, projectId, identifier),
    readExcludingTypes(pool, projectId),
  ]);
  const ids = rootId === null ? [] : await memberIds(pool, projectId, rootId);
  if (rootId === null || ids.length === 0) return null;
  const [profile, marks] = await Promise.all([
    readExclusions(pool, projectId, ids),
    readMarks(pool, projectId, ids, types),
  ]);
  return { rootId, memberIds: ids, ...profile, ...exclusionsOf(marks, types) };
}

/** A type whose events keep items away. */
interface ExcludingType {
  code: string;
  mode: EventMode;
  hides: boolean;
  suppressDays: number;
}

async function readExcludingTypes(pool: Queryable, projectId: string): Promise<ExcludingType[]> {
  const { rows } = await pool.query<ExcludingType>({
    name: 'output-excluding-types',
    text: `select code, mode, hides_item as hides, suppress_similar_days as "suppressDays" from event_types
            where project_id = $1 and (hides_item or suppress_similar_days > 0)`,
    values: [projectId],
  });
  return rows;
}

type Exclusions = Pick<OutputPerson, 'personalization' | 'excludedInterests' | 'hiddenAuthors'>;

/** What any of the person's profiles excludes holds: before a link is finished, the device still has one of its own. */
async function readExclusions(pool: Queryable, projectId: string, ids: readonly string[]): Promise<Exclusions> {
  const { rows } = await pool.query<{ [K in keyof Exclusions]: Exclusions[K] | null }>({
    name: 'output-exclusions',
    text: `select personalization, excluded_interests as "excludedInterests", hidden_authors as "hiddenAuthors"
             from profiles where project_id = $1 and identity_id = any($2::bigint[])`,
    values: [projectId, ids],
  });
  return {
    personalization: rows.every(({ personalization }) => personalization !== false),
    excludedInterests: rows.flatMap(({ excludedInterests }) => excludedInterests ?? []),
    hiddenAuthors: rows.flatMap(({ hiddenAuthors }) => hiddenAuthors ?? []),
  };
}

/** The event of an item and type that counts. */
interface Mark {
  itemId: string;
  type: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
}

interface MarksWanted {
  /** The root first. */
  ids: readonly string[];
  /** Those that hide, and those that suppress alone. */
  hiding: readonly string[];
  suppressing: readonly string[];
  /** What was before this suppresses nothing any more. */
  since: Date;
}

async function readMarks(
  pool: Queryable,
  projectId: string,
  ids: readonly string[],
  types: readonly ExcludingType[],
): Promise<Mark[]> {
  const since = new Date(Date.now() - DAY_MS * Math.max(0, ...types.map(({ suppressDays }) => suppressDays)));
  const marks = EVENT_MODES.map((mode) => {
    const [hiding, suppressing] = [true, false].map((hides) =>
      types.filter((type) => type.mode === mode && type.hides === hides).map(({ code }) => code),
    );
    const wanted = { ids, hiding: hiding ?? [], suppressing: suppressing ?? [], since };
    if (wanted.hiding.length + wanted.suppressing.length === 0) return [];
    return mode === 'fact' ? readFacts(pool, projectId, wanted) : readStates(pool, projectId, mode, wanted);
  });
  return (await Promise.all(marks)).flat();
}

const valuesOf = (projectId: string, { ids, hiding, suppressing, since }: MarksWanted): unknown[] => [
  projectId,
  ids,
  hiding,
  suppressing,
  since,
];

const OF_TYPES = 'project_id = $1 and identity_id = any($2::bigint[]) and type = any($3::text[] || $4::text[])';
const STILL_COUNTS = '(type = any($3::text[]) or occurred_at > $5::timestamptz)';

/** The marks of one type; one row for each, since a row for each mark costs more than finding it. */
interface MarksRow {
  type: string;
  items: string[];
  /** Seconds since 1970. */
  times: number[];
}

const BY_TYPE = 'type, json_agg(item_id) as items, json_agg(extract(epoch from occurred_at)) as times';

function marksOf(rows: readonly MarksRow[]): Mark[] {
  return rows.flatMap(({ type, items, times }) =>
    items.map((itemId, at) => ({ itemId, type, occurredAt: (times[at] ?? 0) * 1000 })),
  );
}

/** From the index events_met alone: the person with the longest history is read as fast as its entries. */
async function readFacts(pool: Queryable, projectId: string, wanted: MarksWanted): Promise<Mark[]> {
  const { rows } = await pool.query<MarksRow>({
    name: 'output-marking-facts',
    text: `select ${BY_TYPE} from (
             select item_id, type, max(occurred_at) as occurred_at from events
              where ${OF_TYPES} and ${STILL_COUNTS} group by item_id, type) as latest
            group by type`,
    values: valuesOf(projectId, wanted),
  });
  return marksOf(rows);
}

/** By which of several rows of an item and type the move of a device's history goes (db/people/history.ts). */
const DECIDES = { max: 'value', state: 'occurred_at' } as const;

/**
 * Before a link is finished, device and user may each have a row: the one counts that the move keeps, and only then it is
 * asked whether it holds. A `state` of the value 0 takes an earlier one back.
 */
async function readStates(
  pool: Queryable,
  projectId: string,
  mode: keyof typeof DECIDES,
  wanted: MarksWanted,
): Promise<Mark[]> {
  const isOne = wanted.ids.length === 1;
  const ofMembers = `(
    select distinct on (item_id, type) item_id, type, value, occurred_at from event_states where ${OF_TYPES}
     order by item_id, type, ${DECIDES[mode]} desc, identity_id = ($2::bigint[])[1] desc) as counting`;
  const { rows } = await pool.query<MarksRow>({
    name: `output-marking-${mode}-${isOne ? 'one' : 'members'}`,
    text: `select ${BY_TYPE} from ${isOne ? 'event_states' : ofMembers}
            where ${STILL_COUNTS} ${isOne ? `and ${OF_TYPES}` : ''} ${mode === 'state' ? 'and value <> 0' : ''}
            group by type`,
    values: valuesOf(projectId, wanted),
  });
  return marksOf(rows);
}

function exclusionsOf(
  marks: readonly Mark[],
  types: readonly ExcludingType[],
): Pick<OutputPerson, 'hiddenItems' | 'suppressedItems'> {
  const byCode = new Map(types.map((type) => [type.code, type]));
  const now = Date.now();
  const suppressed = marks
    .filter(({ type, occurredAt }) => now - occurredAt < (byCode.get(type)?.suppressDays ?? 0) * DAY_MS)
    .toSorted((a, b) => b.occurredAt - a.occurredAt);
  return {
    hiddenItems: itemsOf(marks.filter(({ type }) => byCode.get(type)?.hides)),
    suppressedItems: itemsOf(suppressed),
  };
}

function itemsOf(marks: readonly Mark[]): string[] {
  return [...new Set(marks.map(({ itemId }) => itemId))];
}

/**
 * Those of the items that the person has met, by any event but an impression, which leaves no row. A look-up for each
 * identity and item, compared as pairs, for which only the indexes by person and item serve: a prepared plan would
 * else go through all events of a popular item.
 */
export async function readSeenItems(
  pool: Queryable,
  projectId: string,
  memberIds: readonly string[],
  itemIds: readonly string[],
): Promise<Set<string>> {
  if (memberIds.length === 0 || itemIds.length === 0) return new Set();
  const metIn = (table: string): string => `
    exists (select from unnest($2::bigint[]) as member (id)
             cross join lateral (
               select from ${table} e
                where e.project_id = $1 and (e.identity_id, e.item_id) >= (member.id, w.item_id)
                  and (e.identity_id, e.item_id) <= (member.id, w.item_id) limit 1) met)`;
  const { rows } = await pool.query<{ itemId: string }>({
    name: 'output-seen-items',
    text: `select w.item_id as "itemId" from unnest($3::text[]) as w (item_id)
            where ${metIn('events')} or ${metIn('event_states')}`,
    values: [projectId, memberIds, itemIds],
  });
  return new Set(rows.map(({ itemId }) => itemId));
}

/**
 * Reads in one statement everything that an output request needs before its items are ranked: another statement would
 * cost the API and PostgreSQL as much as the data that it reads. Nothing is cached, so that the next request takes into
 * account whatever has been stored before it.
 */
import type { Identifier } from '../../domain/people/identity.ts';
import type { ReadExperiment, ReadSurface } from '../../domain/output/surfaces.ts';
import { findPerson, livingIdentity } from '../identities/identities.ts';
import { identitiesOfPerson } from '../identities/identitiesOfPerson.ts';
import type { Queryable } from '../pool.ts';
import {
  factMarks,
  latestFacts,
  latestStates,
  orderMarks,
  stateMarks,
  unexpandedOrders,
  type HistoryOperands,
} from './person/historyParts.ts';
import { readPersonFrom, type OutputPerson, type PersonRow } from './person/person.ts';

export interface RequestDataQuery {
  /** The deciding identifier first: when it is unknown, the others do not count. */
  identifiers: readonly Identifier[];
  /** True to read the person's taste as well. */
  signals: boolean;
  /** Name of a surface; null for none. */
  surface: string | null;
  /** Items to look up: the result says whether the project ever had them. */
  subjects: readonly string[];
}

export interface RequestData {
  /** Null for an unknown person. */
  person: OutputPerson | null;
  /** Null when the project has no surface of that name. */
  surface: ReadSurface | null;
  /** Those of the subjects that the project has or had. */
  known: ReadonlySet<string>;
  /** The latest change of an item of the project, in microseconds since 1970; null when it never had one. */
  changedAt: number | null;
}

/** @throws when the database does not answer */
export async function readRequestData(
  pool: Queryable,
  projectId: string,
  wanted: RequestDataQuery,
): Promise<RequestData> {
  const { signals, surface, subjects } = wanted;
  const found = await resolvePersonKey(pool, projectId, wanted.identifiers[0]);
  const shape: Shape = { found: found.by, signals, surface: surface !== null, subjects: subjects.length > 0 };
  const { rows } = await pool.query<RequestDataRow>({
    name: `output-beginning-${found.by}-${[shape.signals, shape.surface, shape.subjects].map(Number).join('')}`,
    text: statementOf(shape),
    values: [projectId, ...found.values, surface, subjects, new Date()],
  });
  const [row] = rows;
  if (!row) throw new Error('a row was selected and not returned');
  return {
    person: await readPersonFrom(pool, projectId, row, { signals }),
    surface: row.surface ? surfaceOf(row.surface) : null,
    known: new Set(row.known),
    changedAt: row.changedAt === null ? null : Number(row.changedAt),
  };
}

/**
 * Returns the person behind an identifier, as the intake finds it, with the history of all their identities. Does not
 * create one.
 * @param identifiers only the first one decides; when it is unknown, the others do not count
 * @param options.signals true to read the person's taste as well
 * @returns null for an unknown person
 */
export async function readOutputPerson(
  pool: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
  { signals }: { signals: boolean },
): Promise<OutputPerson | null> {
  return (await readRequestData(pool, projectId, { identifiers, signals, surface: null, subjects: [] })).person;
}

/** How the person is found: by an identifier, by the identity behind a fingerprint, or not at all. */
type PersonKey =
  | { by: 'identifier'; values: [kind: string, externalId: string] }
  | { by: 'id'; values: [id: string, none: null] }
  | { by: 'nobody'; values: [null, null] };

const NOBODY: PersonKey = { by: 'nobody', values: [null, null] };

async function resolvePersonKey(
  pool: Queryable,
  projectId: string,
  identifier: Identifier | undefined,
): Promise<PersonKey> {
  if (!identifier) return NOBODY;
  // Only a fingerprint requires a look-up of logins, because it may belong to a user.
  if (identifier.kind !== 'fingerprint') return { by: 'identifier', values: [identifier.kind, identifier.externalId] };
  const id = await findPerson(pool, projectId, identifier);
  return id === null ? NOBODY : { by: 'id', values: [id, null] };
}

/** The parts that the statement has. PostgreSQL plans each combination once per connection. */
interface Shape {
  found: PersonKey['by'];
  signals: boolean;
  surface: boolean;
  subjects: boolean;
}

/** A part that the statement did not ask for is missing. */
interface RequestDataRow extends PersonRow {
  surface?: PackedSurface | null;
  known?: string[] | null;
  changedAt: string | null;
}

const ROOTS: Readonly<Record<'identifier' | 'id', string>> = {
  identifier: `select coalesce(i.merged_into, i.id) as id from identities i where ${livingIdentity('$2', '$3')}`,
  id: 'select $2::bigint as id',
};

function statementOf({ found, signals, surface, subjects }: Shape): string {
  const parts = found === 'nobody' ? [] : [...PERSON, ...EXCLUSIONS, ...(signals ? SIGNALS : [])];
  const columns = [...parts, ...(surface ? [`(${SURFACE}) as surface`] : []), ...(subjects ? [KNOWN] : []), CHANGED];
  // All parameters are named because not every shape uses all of them.
  const parameters = `select $1::text, $2::${found === 'id' ? 'bigint' : 'text'}, $3::text, $4::text, $5::text[], $6::timestamptz`;
  const person = found === 'nobody' ? '' : `, ${personOf(ROOTS[found])}`;
  return `with parameters as (${parameters})${person} select ${columns.join(', ')}`;
}

const TYPE = 'code, mode, weight, value_map, is_purchase, hides_item, suppress_similar_days';
const PROFILE = 'personalization, excluded_interests, hidden_authors, interests, followed_authors, city, country';
const MARKS_ITEMS = '(hides_item or suppress_similar_days > 0)';
/** Longer periods would lead to a time that PostgreSQL cannot represent. */
const MAX_SUPPRESSION_DAYS = 100_000;

const codesOf = (condition: string): string => `coalesce(array_agg(code) filter (where ${condition}), '{}')`;

const personOf = (root: string): string => `
  root as materialized (${root}),
  member as materialized (
    select m.id, m.id <> root.id as is_merged from root cross join lateral (${identitiesOfPerson('root.id')}) m where m.dead_at is null),
  whole as materialized (select array_agg(id order by is_merged, id) as members from member),
  kind as materialized (
    select ${TYPE} from event_types
     where project_id = $1 and (weight <> 0 or hides_item or suppress_similar_days > 0)),
  codes as materialized (
    select ${codesOf('hides_item')} as hiding, ${codesOf(MARKS_ITEMS)} as marking, ${codesOf(`mode = 'max'`)} as largest,
           max(code) filter (where is_purchase and ${MARKS_ITEMS}) as ordering,
           bool_or(mode = 'fact' and ${MARKS_ITEMS}) as of_facts, bool_or(mode <> 'fact' and ${MARKS_ITEMS}) as of_states,
           $6 - least(max(suppress_similar_days), ${MAX_SUPPRESSION_DAYS}) * interval '1 day' as since
      from kind),
  profile as materialized (
    select own.*, member.is_merged from member cross join lateral (
      select ${PROFILE} from profiles where project_id = $1 and identity_id = member.id) own)`;

const PERSON = [
  '(select id::text from root) as "rootId"',
  '(select members::text[] from whole) as "memberIds"',
  '(select json_agg(kind) from kind) as types',
  `(select json_agg(p) from (select ${PROFILE} from profile order by is_merged) p) as profiles`,
];

const OPERANDS: HistoryOperands = {
  members: '(select members from whole)::bigint[]',
  hidingTypes: '(select hiding from codes)::text[]',
  exclusionTypes: '(select marking from codes)::text[]',
  maxTypes: '(select largest from codes)::text[]',
  since: '(select since from codes)',
  purchaseType: '(select ordering from codes)',
};

/** The history of a person with several identities has its own statement (person/history.ts): such people are rare. */
const HAS_ONE_IDENTITY = '(select cardinality(members) = 1 from whole)';
const partIf = (condition: string, part: string): string =>
  `case when ${HAS_ONE_IDENTITY} and ${condition} then (${part}) end`;

const EXCLUSIONS = [
  `${partIf('(select of_facts from codes)', factMarks(OPERANDS))} as "factMarks"`,
  `${partIf('(select ordering is not null from codes)', orderMarks(OPERANDS))} as "orderMarks"`,
  `${partIf('(select of_states from codes)', stateMarks(OPERANDS, true))} as "stateMarks"`,
];

/** History does not count without personalization. */
const IS_PERSONAL = '(select coalesce(bool_and(personalization is not false), true) from profile)';
const SIGNALS = [
  `${partIf(IS_PERSONAL, latestFacts(OPERANDS))} as facts`,
  `${partIf(IS_PERSONAL, latestStates(OPERANDS, true))} as states`,
  `${partIf(IS_PERSONAL, unexpandedOrders(OPERANDS))} as orders`,
];

const KNOWN = '(select json_agg(id) from items where project_id = $1 and id = any($5::text[])) as known';

/** Reads one entry of the index of changes, or a few while the latest are not visible yet. */
const CHANGED = `(select (extract(epoch from max(updated_at)) * 1000000)::bigint from items where project_id = $1) as "changedAt"`;

type PackedSurface = Omit<ReadSurface, 'experiment'> & {
  experimentId: string | null;
  startsAt: string | null;
  endsAt: string | null;
  variants: ReadExperiment['variants'] | null;
  changedAt: string | null;
};

/** Two look-ups by primary key. */
const SURFACE = `
  select json_build_object('name', s.name, 'defaults', s.defaults, 'boosts', s.boosts, 'pins', s.pins, 'experimentId', e.id,
                           'startsAt', e.starts_at, 'endsAt', e.ends_at, 'variants', e.variants, 'changedAt', e.changed_at)
    from output_surfaces s left join output_experiments e on e.project_id = s.project_id and e.id = s.experiment_id
   where s.project_id = $1 and s.name = $4`;

function surfaceOf({ experimentId, startsAt, endsAt, variants, changedAt, ...surface }: PackedSurface): ReadSurface {
  if (experimentId === null || startsAt === null || variants === null || changedAt === null)
    return { ...surface, experiment: null };
  const until = endsAt === null ? null : new Date(endsAt);
  return { ...surface, experiment: { id: experimentId, from: new Date(startsAt), until, variants, changedAt } };
}

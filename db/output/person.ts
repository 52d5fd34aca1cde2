/**
 * The data that a request reads about its person. There is no cache, so that each answer counts on the next request.
 */
import type { Identifier } from '../../domain/people/identity.ts';
import { findPerson, livingIdentity } from '../people/identities.ts';
import { membersOf } from '../people/members.ts';
import type { Queryable } from '../pool.ts';
import { readHistory, type Mark, type OutputType } from './history.ts';
import { NO_SIGNALS, signalsOf, type OutputProfile, type PersonSignals } from './signals.ts';

const DAY_MS = 86_400_000;

export interface OutputPerson {
  /** The identity under which snapshots are stored (decimal). */
  rootId: string;
  /** All identities under which history is stored. */
  memberIds: readonly string[];
  personalization: boolean;
  excludedInterests: readonly string[];
  hiddenAuthors: readonly string[];
  /** Items hidden by an event whose type hides. */
  hiddenItems: readonly string[];
  /**
   * Items whose similar items are unwanted for a while, by events of types with suppress_similar_days; the latest
   * first.
   */
  suppressedItems: readonly string[];
  /** Empty for a person who does not want personalization, and when they were not requested. */
  signals: PersonSignals;
}

/**
 * Returns the person behind an identifier, as the intake finds it, with the history of all their identities. Creates
 * nobody.
 * @param identifiers only the first one decides; when it is unknown, the others do not count
 * @param wanted says whether the person's taste is read as well
 * @returns null for an unknown person
 */
export async function readOutputPerson(
  pool: Queryable,
  projectId: string,
  [identifier]: readonly Identifier[],
  wanted: { signals: boolean },
): Promise<OutputPerson | null> {
  const known = identifier ? await readIdentities(pool, projectId, identifier) : null;
  if (known === null) return null;
  const { rootId, memberIds, types, profiles } = known;
  const personalization = profiles.every((profile) => profile.personalization !== false);
  const signals = wanted.signals && personalization;
  const history = await readHistory(pool, projectId, { memberIds, types, signals });
  return {
    rootId,
    memberIds,
    personalization,
    // The exclusions of every profile apply: before a link is finished, the device still has one of its own.
    excludedInterests: profiles.flatMap(({ excluded_interests: interests }) => interests ?? []),
    hiddenAuthors: profiles.flatMap(({ hidden_authors: authors }) => authors ?? []),
    ...exclusionsOf(history.marks, types),
    signals: signals ? signalsOf(history, { types, profiles }) : NO_SIGNALS,
  };
}

interface KnownPerson {
  rootId: string;
  /** Identities, the root first. */
  memberIds: string[];
  /** Types that have a weight, hide or suppress. */
  types: OutputType[];
  /** Profiles, that of the root first. */
  profiles: OutputProfile[];
}

const TYPE = 'code, mode, weight, value_map, is_purchase, hides_item, suppress_similar_days';
const PROFILE = 'personalization, excluded_interests, hidden_authors, interests, followed_authors, city, country';

/**
 * It is one statement with each part packed as JSON: the cost of a request is what its statements and rows cost the
 * driver.
 */
function personStatement(root: string): string {
  return `
    with root as materialized (${root}),
         member as materialized (
           select m.id, m.id <> root.id as is_merged from root cross join lateral (${membersOf('root.id')}) m where m.dead_at is null)
    select (select id::text from root) as "rootId",
           array(select id::text from member order by is_merged, id) as "memberIds",
           (select json_agg(t) from (
              select ${TYPE} from event_types
               where project_id = $1 and (weight <> 0 or hides_item or suppress_similar_days > 0)) t) as types,
           (select json_agg(p) from (
              select own.* from member cross join lateral (
                select ${PROFILE} from profiles where project_id = $1 and identity_id = member.id) own
               order by member.is_merged) p) as profiles`;
}

const BY_IDENTIFIER = personStatement(
  `select coalesce(i.merged_into, i.id) as id from identities i where ${livingIdentity('$2', '$3')}`,
);
const BY_ID = personStatement('select $2::bigint as id');

type KnownRow = Omit<KnownPerson, 'types' | 'profiles'> & {
  types: OutputType[] | null;
  profiles: OutputProfile[] | null;
};

/** Returns null for an unknown person. */
async function readIdentities(pool: Queryable, projectId: string, identifier: Identifier): Promise<KnownPerson | null> {
  const { kind, externalId } = identifier;
  // A user may stand behind a fingerprint, which requires a look-up of logins.
  const id = kind === 'fingerprint' ? await findPerson(pool, projectId, identifier) : undefined;
  if (id === null) return null;
  const { rows } = await pool.query<KnownRow>(
    id === undefined
      ? { name: 'output-person', text: BY_IDENTIFIER, values: [projectId, kind, externalId] }
      : { name: 'output-person-by-id', text: BY_ID, values: [projectId, id] },
  );
  const [found] = rows;
  if (!found || found.memberIds.length === 0) return null;
  return { ...found, types: found.types ?? [], profiles: found.profiles ?? [] };
}

function exclusionsOf(
  marks: readonly Mark[],
  types: readonly OutputType[],
): Pick<OutputPerson, 'hiddenItems' | 'suppressedItems'> {
  const byCode = new Map(types.map((type) => [type.code, type]));
  const now = Date.now();
  const suppressed = marks
    .filter(({ type, occurredAt }) => now - occurredAt < (byCode.get(type)?.suppress_similar_days ?? 0) * DAY_MS)
    .toSorted((a, b) => b.occurredAt - a.occurredAt);
  return {
    hiddenItems: itemsOf(marks.filter(({ type }) => byCode.get(type)?.hides_item)),
    suppressedItems: itemsOf(suppressed),
  };
}

function itemsOf(marks: readonly Mark[]): string[] {
  return [...new Set(marks.map(({ itemId }) => itemId))];
}

/** What a request reads of the person it is for: no cache, so that what was answered holds on the next request. */
import type { Identifier } from '../../domain/identity.ts';
import type { Queryable } from '../pool.ts';

/** An event that counts, of either mode. */
export interface PersonEvent {
  itemId: string;
  type: string;
  value: number | null;
  occurredAt: Date;
}

export interface OutputPerson {
  /** The identity that snapshots are kept under (decimal). */
  rootId: string;
  /** All identities under which history is stored. */
  memberIds: readonly string[];
  personalization: boolean;
  interests: readonly string[];
  excludedInterests: readonly string[];
  followedAuthors: readonly string[];
  hiddenAuthors: readonly string[];
  city: string | null;
  country: string | null;
  /** Items hidden by an event whose type hides. */
  hiddenItems: readonly string[];
  /** Items whose like is not wanted for a while, by events of types with suppress_similar_days. */
  suppressedItems: readonly string[];
  /** The latest facts and all states that count, latest first. */
  events: readonly PersonEvent[];
}

/** Facts that are read for the scores; what is older hardly counts. */
const FACTS_READ = 200;
const STATES_READ = 500;

type PersonRow = Omit<OutputPerson, 'events'> & {
  events: (Omit<PersonEvent, 'occurredAt'> & { occurredAt: string })[];
};

/** `state` events say by their value whether they hold: 0 takes an earlier one back. */
const HOLDS = `(t.mode <> 'state' or s.value <> 0)`;

/**
 * The person behind the first of the identifiers that is known: the profile as GET /users/profile finds it, the history
 * of all that belongs to the person. Creates nobody.
 * @returns null for somebody unknown
 */
export async function readOutputPerson(
  pool: Queryable,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<OutputPerson | null> {
  if (identifiers.length === 0) return null;
  const { rows } = await pool.query<PersonRow>({
    name: 'output-person',
    text: `
      with named as (
        select i.id, i.merged_into, q.ordinal
          from unnest($2::text[], $3::text[]) with ordinality as q (kind, external_id, ordinal)
          join identities i on i.project_id = $1 and i.kind = q.kind and i.external_id = q.external_id and i.dead_at is null
         order by q.ordinal limit 1
      ), members as materialized (
        select i.id from named n join identities i on i.project_id = $1 and i.id = coalesce(n.merged_into, n.id) and i.dead_at is null
        union
        select i.id from named n join identities i on i.project_id = $1 and i.merged_into = coalesce(n.merged_into, n.id) and i.dead_at is null
      ), facts as materialized (
        select e.item_id, e.type, e.value, e.occurred_at from members m join events e on e.project_id = $1 and e.identity_id = m.id
      ), states as materialized (
        select s.item_id, s.type, s.value, s.occurred_at
          from members m join event_states s on s.project_id = $1 and s.identity_id = m.id
          join event_types t on t.project_id = $1 and t.code = s.type
         where ${HOLDS}
      ), marked as (
        select f.item_id, t.hides_item, f.occurred_at > now() - t.suppress_similar_days * interval '1 day' as suppresses
          from (select * from facts union all select * from states) f
          join event_types t on t.project_id = $1 and t.code = f.type
         where t.hides_item or t.suppress_similar_days > 0
      ), latest as (
        (select * from facts order by occurred_at desc limit ${FACTS_READ})
        union all
        (select * from states order by occurred_at desc limit ${STATES_READ})
      )
      select coalesce(n.merged_into, n.id)::text as "rootId",
             array(select id::text from members) as "memberIds",
             coalesce(p.personalization, true) as personalization,
             coalesce(p.interests, '{}') as interests, coalesce(p.excluded_interests, '{}') as "excludedInterests",
             coalesce(p.followed_authors, '{}') as "followedAuthors", coalesce(p.hidden_authors, '{}') as "hiddenAuthors",
             p.city, p.country,
             array(select distinct item_id from marked where hides_item) as "hiddenItems",
             array(select distinct item_id from marked where suppresses) as "suppressedItems",
             coalesce((select jsonb_agg(jsonb_build_object('itemId', item_id, 'type', type, 'value', value, 'occurredAt', occurred_at) order by occurred_at desc) from latest), '[]') as events
        from named n
        left join profiles own on own.project_id = $1 and own.identity_id = n.id
        left join profiles p on p.project_id = $1 and p.identity_id = coalesce(own.identity_id, n.merged_into)`,
    values: [projectId, identifiers.map(({ kind }) => kind), identifiers.map(({ externalId }) => externalId)],
  });
  const row = rows[0];
  if (!row) return null;
  return { ...row, events: row.events.map((event) => ({ ...event, occurredAt: new Date(event.occurredAt) })) };
}

/** Of these items those that the person has met: any event but an impression, which leaves no row. */
export async function readSeenItems(
  pool: Queryable,
  projectId: string,
  memberIds: readonly string[],
  itemIds: readonly string[],
): Promise<Set<string>> {
  if (memberIds.length === 0 || itemIds.length === 0) return new Set();
  const { rows } = await pool.query<{ itemId: string }>({
    name: 'output-seen-items',
    text: `select item_id as "itemId" from events where project_id = $1 and identity_id = any($2::bigint[]) and item_id = any($3::text[])
            union
           select item_id from event_states where project_id = $1 and identity_id = any($2::bigint[]) and item_id = any($3::text[])`,
    values: [projectId, memberIds, itemIds],
  });
  return new Set(rows.map(({ itemId }) => itemId));
}

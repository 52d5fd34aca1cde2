/** The current values of people: the view site_audience, with which reports have to agree (reports/people/). */
import { personKey, type Person, type ValueSource } from '../../domain/people/personData.ts';
import type { Queryable } from '../pool.ts';
import { TRUSTED_USER } from './visitorLinks.ts';

export interface AudienceValue {
  attribute: string;
  /** The key of a visitor_param. */
  param: string | null;
  value: string | null;
  /** The value of a visitor_param, as it was sent. */
  json: unknown;
  /** The strength of an interest. */
  strength: number | null;
  source: ValueSource;
}

const COLUMNS = 'kind, person_id as id, attribute, place, param, value, json, strength, source';

/**
 * Returns the current values, by person; people without values are missing. Each kind has a branch of its own, so that
 * both are looked up by the whole key.
 */
export async function readAudience(
  client: Queryable,
  siteId: string,
  people: readonly Person[],
): Promise<Map<string, AudienceValue[]>> {
  if (people.length === 0) return new Map();
  const idsOf = (kind: Person['kind']): string[] => people.filter((person) => person.kind === kind).map(({ id }) => id);
  const { rows } = await client.query<AudienceValue & Person>({
    name: 'site-audience-read',
    text: `select ${COLUMNS} from site_audience where site_id = $1 and kind = 'user' and person_id = any($2::text[])
           union all
           select ${COLUMNS} from site_audience where site_id = $1 and kind = 'visitor' and person_id = any($3::text[])
           order by strength desc nulls last, attribute, place, value`,
    values: [siteId, idsOf('user'), idsOf('visitor')],
  });
  const byPerson = new Map<string, AudienceValue[]>();
  for (const { kind, id, ...value } of rows) {
    const key = personKey({ kind, id });
    const known = byPerson.get(key);
    if (known) known.push(value);
    else byPerson.set(key, [value]);
  }
  return byPerson;
}

export interface FoundVisitor {
  visitorId: string;
  /** Null and 0 until its first hits are ingested. */
  firstVisitAt: Date | null;
  lastVisitAt: Date | null;
  visits: number;
  values: AudienceValue[];
}

export async function findVisitor(client: Queryable, siteId: string, visitorId: string): Promise<FoundVisitor | null> {
  const { rows } = await client.query<Omit<FoundVisitor, 'values'> & { userId: string | null }>({
    name: 'site-visitor-find',
    text: `select visitor_id as "visitorId", ${TRUSTED_USER} as "userId", first_visit_at as "firstVisitAt", last_visit_at as "lastVisitAt", visits
             from site_visitors v join sites s on s.id = v.site_id where v.site_id = $1 and v.visitor_id = $2`,
    values: [siteId, visitorId],
  });
  const row = rows[0];
  if (!row) return null;
  const { userId, ...visitor } = row;
  const person: Person = userId === null ? { kind: 'visitor', id: visitorId } : { kind: 'user', id: userId };
  return { ...visitor, values: (await readAudience(client, siteId, [person])).get(personKey(person)) ?? [] };
}

/** Returns, by user id, the visitor with the last visit, null when none is linked. Unknown users are missing. */
export async function findUsers(
  client: Queryable,
  siteId: string,
  userIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await client.query<{ userId: string; visitorId: string | null }>({
    name: 'site-users-find',
    text: `select w.user_id as "userId", last.visitor_id as "visitorId"
             from unnest($2::text[]) as w (user_id)
             left join lateral (
               select v.visitor_id from site_visitors v where v.site_id = $1 and v.user_id = w.user_id
                order by v.last_visit_at desc nulls last, v.visitor_id limit 1) as last on true
             left join lateral (
               select true as known from site_people p where p.site_id = $1 and p.kind = 'user' and p.person_id = w.user_id limit 1) as told on true
            where last.visitor_id is not null or told.known`,
    values: [siteId, userIds],
  });
  return new Map(rows.map(({ userId, visitorId }) => [userId, visitorId]));
}

/** Moves a visitor's values to its user at the first link. */
import type pg from 'pg';
import type { Person } from '../../domain/people/personData.ts';
import { arrayParameter } from '../arrays.ts';
import { deleteWeakest, MAX_STRENGTH } from './strengthenInterests.ts';
import type { Link } from './visitorLinks.ts';

/** `$2` and `$3` are visitors and their users. If a user has several visitors, the values of the first one count. */
const MOVES = `moves as materialized (
  select * from unnest($2::text[], $3::text[]) with ordinality as m (visitor_id, user_id, ordinal))`;

/** The rows of the visitors, found by their keys (lock.ts explains why not by a join), with their new owner. */
const goneFrom = (table: string): string => `${MOVES}, gone as (
  delete from ${table} where ctid = any(array(
    select o.ctid from moves m cross join lateral (
      select ctid from ${table} o where o.site_id = $1 and o.kind = 'visitor' and o.person_id = m.visitor_id offset 0) as o))
  returning *), moved as (
  select g.*, m.user_id, m.ordinal as turn from gone g join moves m on m.visitor_id = g.person_id)`;

/**
 * Values that the user has not sent are taken over, and interests are added up, as far as the user may have that many.
 * The caller holds the locks of both; the visitors' rows, which were created for the lock, are deleted. It takes four
 * statements, however many visitors.
 * @param moves each visitor once
 */
export async function moveToUsers(client: pg.PoolClient, siteId: string, moves: readonly Link[]): Promise<void> {
  if (moves.length === 0) return;
  const values = [
    siteId,
    arrayParameter(moves.map(({ visitorId }) => visitorId)),
    arrayParameter(moves.map(({ userId }) => userId)),
  ];
  for (const [name, text] of STATEMENTS) await client.query({ name, text, values });
  await deleteWeakest(
    client,
    siteId,
    moves.map(({ userId }): Person => ({ kind: 'user', id: userId })),
  );
}

const VALUES = 'source, attribute, place, field, param, value, json, born, is_sensitive, at';

const STATEMENTS: readonly (readonly [string, string])[] = [
  // A field is moved as a whole, from the first visitor that has it.
  [
    'site-values-move',
    `with ${goneFrom('site_person_values')}
    insert into site_person_values (site_id, kind, person_id, ${VALUES})
    select $1, 'user', user_id, ${VALUES}
      from (select *, rank() over (partition by user_id, source, field order by turn) as rank from moved) as m
     where rank = 1
       and (select true from site_person_values u
             where u.site_id = $1 and u.kind = 'user' and u.person_id = m.user_id and u.source = m.source and u.field = m.field limit 1) is null`,
  ],
  [
    'site-interests-move',
    `with ${goneFrom('site_person_interests')}
    insert into site_person_interests as i (site_id, kind, person_id, source, is_topic, interest, strength, is_sensitive, at)
    select $1, 'user', user_id, source, is_topic, interest, least(sum(strength), ${MAX_STRENGTH}), (array_agg(is_sensitive order by turn))[1], max(at)
      from moved group by user_id, source, is_topic, interest
    on conflict (site_id, kind, person_id, source, is_topic, interest) do update
       set strength = least(i.strength + excluded.strength, ${MAX_STRENGTH}), at = greatest(i.at, excluded.at)`,
  ],
  // All of the users exist already: `on conflict` is used to find each by its key.
  [
    'site-contacts-move',
    `with ${goneFrom('site_people')}
    insert into site_people as u (site_id, kind, person_id, email_hash, phone_hash)
    select $1, 'user', user_id, (array_agg(email_hash order by turn) filter (where email_hash is not null))[1],
           (array_agg(phone_hash order by turn) filter (where phone_hash is not null))[1]
      from moved group by user_id
    on conflict (site_id, kind, person_id) do update
       set email_hash = coalesce(u.email_hash, excluded.email_hash), phone_hash = coalesce(u.phone_hash, excluded.phone_hash)
     where (u.email_hash, u.phone_hash) is distinct from (coalesce(u.email_hash, excluded.email_hash), coalesce(u.phone_hash, excluded.phone_hash))`,
  ],
];

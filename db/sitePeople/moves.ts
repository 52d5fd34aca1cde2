/** With its first link a visitor's values become its user's. */
import type pg from 'pg';
import { MAX_STRENGTH } from './interests.ts';
import type { Link } from './links.ts';

/**
 * What the user has not told itself is taken over, interests are added up. The caller holds the locks of
 * both, and the visitors' rows, which it made for the lock, go.
 */
export async function moveToUsers(client: pg.PoolClient, siteId: string, moves: readonly Link[]): Promise<void> {
  // One after the other: two visitors may become the same user's, and the first one's values count.
  for (const move of moves) await moveToUser(client, siteId, move);
}

async function moveToUser(client: pg.PoolClient, siteId: string, { visitorId, userId }: Link): Promise<void> {
  const values = [siteId, visitorId, userId];
  await client.query({
    name: 'site-values-move',
    text: `with gone as (delete from site_person_values where site_id = $1 and kind = 'visitor' and person_id = $2 returning *)
           insert into site_person_values (site_id, kind, person_id, source, attribute, place, field, param, value, json, born, is_sensitive, at)
           select site_id, 'user', $3, source, attribute, place, field, param, value, json, born, is_sensitive, at from gone
            where not exists (select from site_person_values u
                               where u.site_id = $1 and u.kind = 'user' and u.person_id = $3 and u.source = gone.source and u.field = gone.field)`,
    values,
  });
  await client.query({
    name: 'site-interests-move',
    text: `with gone as (delete from site_person_interests where site_id = $1 and kind = 'visitor' and person_id = $2 returning *)
           insert into site_person_interests as i (site_id, kind, person_id, source, is_topic, interest, strength, is_sensitive, at)
           select site_id, 'user', $3, source, is_topic, interest, strength, is_sensitive, at from gone
           on conflict (site_id, kind, person_id, source, is_topic, interest) do update
              set strength = least(i.strength + excluded.strength, ${MAX_STRENGTH}), at = greatest(i.at, excluded.at)`,
    values,
  });
  await client.query({
    name: 'site-contacts-move',
    text: `with gone as (delete from site_people where site_id = $1 and kind = 'visitor' and person_id = $2 returning email_hash, phone_hash)
           update site_people u set email_hash = coalesce(u.email_hash, gone.email_hash), phone_hash = coalesce(u.phone_hash, gone.phone_hash)
             from gone where u.site_id = $1 and u.kind = 'user' and u.person_id = $3`,
    values,
  });
}

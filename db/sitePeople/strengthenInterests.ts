/** Interests of people, which grow stronger each time they are sent. */
import type pg from 'pg';
import { personKey, type Person } from '../../domain/people/personData.ts';
import { personColumns } from './lock.ts';
import type { Told } from './resolveChanges.ts';

/** Maximum number of interests of a person; beyond it the weakest and oldest are deleted, to bound a flood of texts. */
export const MAX_INTERESTS = 200;
/** Far below the maximum of an integer. */
export const MAX_STRENGTH = 1_000_000;

interface InterestRow {
  kind: string;
  person_id: string;
  source: string;
  is_topic: boolean;
  interest: string;
  strength: number;
  is_sensitive: boolean;
  at: Date;
}

/** Strengthens interests. The caller holds the locks. */
export async function strengthenInterests(client: pg.PoolClient, siteId: string, told: readonly Told[]): Promise<void> {
  const rows = countInterests(told);
  if (rows.length === 0) return;
  await client.query({
    name: 'site-interests-strengthen',
    text: `insert into site_person_interests as i (site_id, kind, person_id, source, is_topic, interest, strength, is_sensitive, at)
           select $1, kind, person_id, source, is_topic, interest, strength, is_sensitive, at
             from jsonb_populate_recordset(null::site_person_interests, $2::jsonb)
           on conflict (site_id, kind, person_id, source, is_topic, interest) do update
              set strength = least(i.strength + excluded.strength, ${MAX_STRENGTH}), is_sensitive = excluded.is_sensitive, at = greatest(i.at, excluded.at)`,
    values: [siteId, JSON.stringify(rows)],
  });
  await deleteWeakest(
    client,
    siteId,
    told.filter(({ interests }) => interests.length > 0).map(({ person }) => person),
  );
}

/** One record strengthens a topic by one, however many of its texts match it. */
function countInterests(told: readonly Told[]): InterestRow[] {
  const rows = new Map<string, InterestRow>();
  for (const { person, source, at, interests } of told) {
    for (const { interest, isTopic, isSensitive } of interests) {
      const key = JSON.stringify([personKey(person), source, isTopic, interest]);
      const known = rows.get(key);
      if (!known)
        rows.set(key, {
          kind: person.kind,
          person_id: person.id,
          source,
          is_topic: isTopic,
          interest,
          strength: 1,
          is_sensitive: isSensitive,
          at,
        });
      else rows.set(key, { ...known, strength: known.strength + 1, at: known.at > at ? known.at : at });
    }
  }
  return [...rows.values()];
}

/** Deletes the interests of people beyond {@link MAX_INTERESTS}. The caller holds the locks. */
export async function deleteWeakest(client: pg.PoolClient, siteId: string, people: readonly Person[]): Promise<void> {
  await client.query({
    name: 'site-interests-drop',
    text: `delete from site_person_interests i
            where i.ctid = any(array(
              select surplus.ctid from (select distinct * from unnest($2::text[], $3::text[])) as w (kind, id)
               cross join lateral (
                 select o.ctid from site_person_interests o where o.site_id = $1 and o.kind = w.kind and o.person_id = w.id
                  order by o.is_topic desc, o.strength desc, o.at desc, o.interest offset ${MAX_INTERESTS}) as surplus))`,
    values: [siteId, ...personColumns(people)],
  });
}

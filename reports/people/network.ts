/** What other sites of the network tell of a site's people: as the views network_people and site_audience have it, of a site's people at once. */
import { literal } from '../lake/database.ts';
import { PERSON, type Field } from './attributes.ts';
import { fromPostgres, literals } from './postgres.ts';
import { TODAY, VALUE } from './told.ts';

/** A contact of more people of two sites is a placeholder: as in migrations/0028_site_people.sql. */
const MOST_OF_A_CONTACT = 10;

/** In PostgreSQL: whether the site takes part. */
export function isInNetwork(siteId: string): string {
  return `select 1 as "in" from network_sites where site_id = ${literal(siteId)}`;
}

/**
 * A select of DuckDB with columns person, field, attribute, value: of each choice of a person what was told last, by
 * users before sites. Contacts meet here: PostgreSQL would pair all those whose contact is a placeholder.
 */
export function networkValues(siteId: string, fields: readonly Field[]): string {
  const [byEmail, byPhone] = (['email_hash', 'phone_hash'] as const).map(pairsBy);
  return `
    with mine as materialized (select ${PERSON} as person, email_hash, phone_hash, sensitive_topics from ${fromPostgres(mine(siteId))}),
    theirs as materialized (select *, site_id || '/' || kind || '/' || person_id as giver from ${fromPostgres(theirs(siteId, fields))}),
    others as materialized (select giver, any_value(site_id) as site_id, any_value(email_hash) as email_hash, any_value(phone_hash) as phone_hash, any_value(sensitive_topics) as sensitive_topics from theirs group by giver),
    pairs as (${byEmail} union ${byPhone}),
    told as (
      select person, giver, source, field, attribute, ${VALUE} as value, told_at, if(field in ('interests', 'purchase_categories'), value, '') as choice
        from pairs join theirs using (giver) where attribute is not null and (not is_sensitive or passes_sensitive))
    select person, field, attribute, value from told
    qualify rank() over (partition by person, field, choice order by if(source = 'user', 1, 2), told_at desc, giver) = 1`;
}

/** Who has a contact in common, but for placeholders: most contacts are one person's of each site. */
function pairsBy(contact: string): string {
  return `
    select mine.person, giver, mine.sensitive_topics and others.sensitive_topics as passes_sensitive
      from mine join others using (${contact})
      left join (select ${contact}, count(*) as people from mine group by ${contact}) as ours using (${contact})
      left join (select ${contact}, site_id, count(*) as people from others group by all) as those using (${contact}, site_id)
     where ours.people + those.people <= ${MOST_OF_A_CONTACT}`;
}

/** People of the site who have a contact. */
function mine(siteId: string): string {
  return `select p.kind, p.person_id, p.email_hash, p.phone_hash, n.sensitive_topics from site_people p join network_sites n on n.site_id = p.site_id
           where p.site_id = ${literal(siteId)} and (p.email_hash is not null or p.phone_hash is not null)`;
}

/** People of other sites who have a contact of ours: a row for each value of theirs, and one for who has none, who counts among those of his contact. */
function theirs(siteId: string, fields: readonly Field[]): string {
  const others = (contact: string): string =>
    `select o.site_id, o.kind, o.person_id, o.email_hash, o.phone_hash, n.sensitive_topics from site_people o join network_sites n on n.site_id = o.site_id
      where o.site_id <> ${literal(siteId)} and exists (select from site_people me where me.site_id = ${literal(siteId)} and me.${contact} = o.${contact})`;
  const interests = `
    union all
    select o.*, i.source, 'interests', 'interest', i.interest, null, i.is_sensitive, i.at, null
      from others o join site_person_interests i on i.site_id = o.site_id and i.kind = o.kind and i.person_id = o.person_id and i.is_topic`;
  return `
    with others as materialized (${others('email_hash')} union ${others('phone_hash')})
    select o.*, v.source, v.field, v.attribute, v.value, v.born, v.is_sensitive, v.at as told_at, ${TODAY}
      from others o left join site_person_values v on v.site_id = o.site_id and v.kind = o.kind and v.person_id = o.person_id and v.field in (${literals(fields)})
    ${fields.includes('interests') ? interests : ''}`;
}

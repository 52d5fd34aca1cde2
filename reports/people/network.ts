/** What other sites of the network tell of a site's people: as the views network_people and site_audience say it, a site at a time. */
import { literal } from '../lake/database.ts';
import { CHOICE, person, TODAY, VALUE, type Field } from './own.ts';
import { fromPostgres, literals } from './postgres.ts';

/** A contact of more people of two sites is a placeholder: as in migrations/0028_site_people.sql. */
const MOST_OF_A_CONTACT = 10;

/**
 * A select of DuckDB in the form of ownValues: of each choice of a person what was told last, by a user before by a site.
 * Nothing when the site takes no part. Contacts meet here: PostgreSQL would pair all whose contact is a placeholder.
 */
export function networkValues(siteId: string, fields: readonly Field[]): string {
  return `
    with mine as materialized (select * from ${fromPostgres(mine(siteId))}),
    theirs as materialized (select *, site_id || '/' || kind || '/' || person_id as giver from ${fromPostgres(theirs(siteId, fields))}),
    my_contacts as (
      select ${person('kind', 'person_id')} as person, sensitive_topics, unnest([('e', email_hash), ('p', phone_hash)]) as contact from mine),
    their_contacts as (
      select distinct site_id, giver, sensitive_topics, unnest([('e', email_hash), ('p', phone_hash)]) as contact from theirs),
    pairs as (
      select distinct m.person, t.giver, m.sensitive_topics and t.sensitive_topics as passes_sensitive
        from (select *, count(*) over (partition by contact) as people from my_contacts where contact[2] is not null) as m
        join (select *, count(*) over (partition by contact, site_id) as people from their_contacts where contact[2] is not null) as t using (contact)
       where m.people + t.people <= ${MOST_OF_A_CONTACT}),
    told as (
      select person, giver, source, field, attribute, param, ${VALUE} as value, ${CHOICE} as choice, told_at
        from pairs join theirs using (giver)
       where attribute is not null and (not is_sensitive or passes_sensitive))
    select person, 'network' as source, field, attribute, param, value, choice from told
    qualify rank() over (partition by person, field, choice order by if(source = 'user', 3, 4), told_at desc, giver) = 1`;
}

/** People of the site who have a contact. */
function mine(siteId: string): string {
  return `select p.kind, p.person_id, p.email_hash, p.phone_hash, n.sensitive_topics from site_people p join network_sites n on n.site_id = p.site_id
           where p.site_id = ${literal(siteId)} and (p.email_hash is not null or p.phone_hash is not null)`;
}

/**
 * People of other sites who have a contact of one of ours, one row for each value of theirs, and one row for who has none: he
 * counts among those of his contact.
 */
function theirs(siteId: string, fields: readonly Field[]): string {
  const others = (contact: string): string =>
    `select o.site_id, o.kind, o.person_id, o.email_hash, o.phone_hash, n.sensitive_topics from site_people o join network_sites n on n.site_id = o.site_id
      where o.site_id <> ${literal(siteId)} and o.site_id in (select site_id from network_sites where exists (select from network_sites where site_id = ${literal(siteId)}))
        and exists (select from site_people me where me.site_id = ${literal(siteId)} and me.${contact} = o.${contact})`;
  const interests = `
    union all
    select o.*, i.source, 'interests', 'interest', null, i.interest, null, i.is_sensitive, i.at, null
      from others o join site_person_interests i on i.site_id = o.site_id and i.kind = o.kind and i.person_id = o.person_id and i.is_topic`;
  return `
    with others as materialized (${others('email_hash')} union ${others('phone_hash')})
    select o.*, v.source, v.field, v.attribute, null as param, v.value, v.born, v.is_sensitive, v.at as told_at, ${TODAY}
      from others o left join site_person_values v on v.site_id = o.site_id and v.kind = o.kind and v.person_id = o.person_id and v.field in (${literals(fields)})
    ${fields.includes('interests') ? interests : ''}`;
}

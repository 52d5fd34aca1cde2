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
  const contacts = `unnest([('e', email_hash), ('p', phone_hash)])`;
  return `
    with mine as (
      select *, count(*) over (partition by contact) as people
        from (select ${PERSON} as person, sensitive_topics, ${contacts} as contact from ${fromPostgres(mine(siteId))}) where contact[2] is not null),
    theirs as materialized (select *, site_id || '/' || kind || '/' || person_id as giver from ${fromPostgres(theirs(siteId, fields))}),
    their_contacts as (
      select *, count(*) over (partition by contact, site_id) as people
        from (select distinct site_id, giver, sensitive_topics, ${contacts} as contact from theirs) where contact[2] is not null),
    pairs as (
      select distinct mine.person, giver, mine.sensitive_topics and t.sensitive_topics as passes_sensitive
        from mine join their_contacts t using (contact) where mine.people + t.people <= ${MOST_OF_A_CONTACT}),
    told as (
      select person, giver, source, field, attribute, ${VALUE} as value, told_at, if(field in ('interests', 'purchase_categories'), value, '') as choice
        from pairs join theirs using (giver) where attribute is not null and (not is_sensitive or passes_sensitive))
    select person, field, attribute, value from told
    qualify rank() over (partition by person, field, choice order by if(source = 'user', 1, 2), told_at desc, giver) = 1`;
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

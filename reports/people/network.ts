/** What other sites of the network tell of a site's people: as the views network_people and site_audience have it, of a site's people at once. */
import type { LakeConnection } from '../lake/connection.ts';
import { literal } from '../lake/database.ts';
import { CHOICE_OF, PERSON, type Field } from './attributes.ts';
import { fromPostgres, literals } from './postgres.ts';
import { AGES, TODAY, VALUE } from './told.ts';

/** A contact of more people of two sites is a placeholder: as in migrations/0059_told_contacts.sql. */
const MOST_OF_A_CONTACT = 10;

/**
 * For one hash table of PostgreSQL (work_mem), until the transaction ends: the contacts of 200,000 people take 15 MB,
 * and with the usual 4 MB they would go through files.
 */
const CONTACTS_MB = 64;

interface Asked {
  siteId: string;
  /** Not `params`: they are not passed on. */
  fields: readonly Field[];
  /** Whether the site takes sensitive values. */
  takesSensitive: boolean;
  /** Whether people meet by contacts that servers told alone, at whatever other site. */
  asksForProof: boolean;
}

/**
 * Makes the temporary table `told_network(person, field, attribute, value)`: of each choice of a person what was told
 * last, by users before sites; people whom the site believes already may be left out of it. Contacts meet in DuckDB:
 * PostgreSQL would pair all those whose contact is a placeholder.
 * @param connection in a transaction
 * @returns false when the network tells nothing: there is no table then
 */
export async function loadNetwork(
  connection: LakeConnection,
  siteId: string,
  fields: readonly Field[],
): Promise<boolean> {
  if (fields.length === 0) return false;
  const [site] = await connection.query<{ sensitive_topics: boolean; asks_for_proof: boolean }>(
    `select sensitive_topics, asks_for_proof from ${fromPostgres(ofNetwork(siteId))}`,
  );
  if (!site) return false;
  const asked = { siteId, fields, takesSensitive: site.sensitive_topics, asksForProof: site.asks_for_proof };
  await connection.query(`create or replace temp table told_by_others as from ${fromPostgres(othersTold(asked))}`);
  const [told] = await connection.query('select 1 from told_by_others where attribute is not null limit 1');
  if (told) await connection.query(`create or replace temp table told_network as ${decidedOfNetwork(asked)}`);
  await connection.query('drop table told_by_others');
  return told !== undefined;
}

/** In PostgreSQL: the site, when it takes part. */
function ofNetwork(siteId: string): string {
  return `select sensitive_topics, asks_for_proof, set_config('work_mem', '${CONTACTS_MB}MB', true) as work_mem from network_sites where site_id = ${literal(siteId)}`;
}

/**
 * In PostgreSQL: people of other sites who have a contact of somebody here who is asked of: a row for each value of
 * theirs, and one of nulls for who has none, who counts among those of his contact.
 */
function othersTold(asked: Asked): string {
  const { siteId, fields, asksForProof } = asked;
  const others = (contact: string): string => `
    select o.site_id, o.kind, o.person_id, ${CONTACTS}, n.sensitive_topics, ${asksForProof ? 'true' : 'n.asks_for_proof'} as asks_for_proof
      from site_people o join network_sites n on n.site_id = o.site_id
     where o.site_id <> ${literal(siteId)} and ${isWanted(asked, contact)}`;
  const [first = '', ...rest] = fields.map((field) =>
    field === 'interests' ? interests(asked) : values(asked, field),
  );
  // Who is there by e-mail is not there by phone again. Of a field at a time: values come from their index in order then.
  return `with others as (${others('email_hash')} union all ${others('phone_hash')} and not ${isWanted(asked, 'email_hash')}) ${[first, ...rest.map((more) => `${more} where v.source is not null`)].join(' union all ')}`;
}

/** Whether it is a contact of one of the site's people; not of those whom the site itself is believed of in the one field that is asked for. */
function isWanted({ siteId, fields: [field, ...more] }: Asked, contact: string): string {
  const known = `select from site_person_values own where own.site_id = ${literal(siteId)} and own.field = '${field}' and own.kind = me.kind and own.person_id = me.person_id`;
  const isLeftOut = field !== undefined && isWhole(field) && more.length === 0;
  return `exists (select from site_people me where me.site_id = ${literal(siteId)} and me.${contact} = o.${contact}${isLeftOut ? ` and not exists (${known})` : ''})`;
}

const isWhole = (field: Field): boolean => CHOICE_OF[field] === undefined;

function values(asked: Asked, field: Field): string {
  return `select ${OTHER}, v.source, v.at as told_at, v.field, v.attribute, v.value${hasAges(asked) ? `, v.born, ${TODAY}` : ''}
    from others o left join site_person_values v on ${passesOn(asked)} and v.field = '${field}'`;
}

function interests(asked: Asked): string {
  return `select ${OTHER}, v.source, v.at as told_at, 'interests' as field, case when v.interest is not null then 'interest' end as attribute, v.interest as value${hasAges(asked) ? `, null::date as born, ${TODAY}` : ''}
    from others o left join site_person_interests v on ${passesOn(asked)} and v.is_topic`;
}

/** `…_told`: by the site's server, and not only by a browser. */
const CONTACTS =
  'email_hash, phone_hash, coalesce(email_hash = server_email_hash, false) as email_told, coalesce(phone_hash = server_phone_hash, false) as phone_told';
const OTHER =
  'o.site_id, o.kind, o.person_id, o.email_hash, o.phone_hash, o.email_told, o.phone_told, o.asks_for_proof';

function hasAges({ fields }: Asked): boolean {
  return fields.some((field) => AGES.has(field));
}

function passesOn({ takesSensitive }: Asked): string {
  return `v.site_id = o.site_id and v.kind = o.kind and v.person_id = o.person_id and (not v.is_sensitive${takesSensitive ? ' or o.sensitive_topics' : ''})`;
}

/** In DuckDB, of `told_by_others`. */
function decidedOfNetwork(asked: Asked): string {
  const whole = asked.fields.filter(isWhole);
  const chosen = asked.fields.filter((field) => !isWhole(field));
  const last = `
    select person, field, attribute, value from told
      semi join (select person, field, min(precedence) as precedence from told where field in (${literals(whole)}) group by all) using (person, field, precedence)`;
  // Among equal values there is nothing to decide.
  const any = `select distinct person, field, attribute, value from told where field in (${literals(chosen)})`;
  return `with ${paired(asked)} ${[...(whole.length > 0 ? [last] : []), ...(chosen.length > 0 ? [any] : [])].join(' union all ')}`;
}

/** Common table expressions of DuckDB: `told`, a row for each value that somebody has told of a person here. */
function paired(asked: Asked): string {
  const mine = `select kind, person_id, ${CONTACTS} from site_people where site_id = ${literal(asked.siteId)} and (email_hash is not null or phone_hash is not null)`;
  const pairs = (contact: string, condition: string): string => `
    select mine.kind, mine.person_id, source, told_at, field, attribute, value${hasAges(asked) ? ', born, today' : ''}, others.site_id || '/' || others.kind || '/' || others.person_id as giver
      from told_by_others as others join mine on mine.${contact} = others.${contact}
      left join placeholders_email_hash as email on email.email_hash = others.email_hash and email.site_id = others.site_id
      left join placeholders_phone_hash as phone on phone.phone_hash = others.phone_hash and phone.site_id = others.site_id
     where attribute is not null and ${condition}`;
  const isMet = (contact: string): string =>
    `(${contact}.site_id is null and (not others.asks_for_proof or mine.${contact}_told and others.${contact}_told))`;
  // Who is met by e-mail is not met by phone again.
  return `
    mine as materialized (from ${fromPostgres(mine)}),
    ${placeholders('email_hash')}, ${placeholders('phone_hash')},
    pairs as (
      ${pairs('email_hash', isMet('email'))}
      union all
      ${pairs('phone_hash', `${isMet('phone')} and (not ${isMet('email')} or (mine.email_hash = others.email_hash) is not true)`)}),
    told as materialized (
      select ${PERSON} as person, field, attribute, ${hasAges(asked) ? VALUE : 'value'} as value,
             {is_site: source = 'site', age: -epoch_us(told_at), giver: giver} as precedence from pairs)`;
}

/** Common table expressions of DuckDB. Most contacts are one person's of each site, who has few rows: the rest are looked at more closely. */
function placeholders(contact: string): string {
  const isCrowd = `count(*) + coalesce(any_value(ours.people), 1) > ${MOST_OF_A_CONTACT}`;
  return `
    ours_${contact} as (select ${contact}, count(*) as people from mine where ${contact} is not null group by all having count(*) > 1),
    crowds_${contact} as (select ${contact}, site_id from told_by_others left join ours_${contact} as ours using (${contact}) where ${contact} is not null group by all having ${isCrowd}),
    placeholders_${contact} as (
      select ${contact}, site_id from (select distinct ${contact}, site_id, kind, person_id from told_by_others semi join crowds_${contact} using (${contact}, site_id))
        left join ours_${contact} as ours using (${contact}) group by all having ${isCrowd})`;
}

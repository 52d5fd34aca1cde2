/**
 * Attributes that other sites of the network know about a site's people. Computes the views network_people and
 * site_audience for all people of a site at once.
 */
import type { LakeConnection } from '../lake/connection.ts';
import { quotedText } from '../sql/quotedText.ts';
import { CHOICE_OF, PERSON, type Field } from './attributes.ts';
import { fromPostgres, literals } from './postgres.ts';
import { AGES, TODAY, VALUE } from './valuePrecedence.ts';

/** A contact with more people than this at two sites is a placeholder, as in migrations/0059_told_contacts.sql. */
const MAX_PEOPLE_PER_CONTACT = 10;

/**
 * Memory of one PostgreSQL hash table (work_mem) until the transaction ends. The contacts of 200,000 people take 15 MB
 * and would be written to files with the usual 4 MB.
 */
const CONTACTS_MB = 64;

interface NetworkQuery {
  siteId: string;
  /** Without `params`, which are not shared. */
  fields: readonly Field[];
  /** Whether the site accepts sensitive values. */
  takesSensitive: boolean;
  /**
   * Whether people are matched only by contacts that the servers of both sites sent; if false, the other site's setting
   * decides.
   */
  asksForProof: boolean;
}

/**
 * Creates the temporary table `network_values(person, field, attribute, value)`. It has the latest value of each field of
 * a person, where users take precedence over sites, and all interests and purchase categories. People whose value the
 * site knows itself may be left out. Contacts are matched in DuckDB, because PostgreSQL would pair all people whose
 * contact is a placeholder.
 * @param connection in a transaction
 * @returns false if the network has no values; the table does not exist then
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
  await connection.query(`create or replace temp table values_of_others as from ${fromPostgres(othersValues(asked))}`);
  const [found] = await connection.query('select 1 from values_of_others where attribute is not null limit 1');
  if (found) await connection.query(`create or replace temp table network_values as ${decidedOfNetwork(asked)}`);
  await connection.query('drop table values_of_others');
  return found !== undefined;
}

/** Returns PostgreSQL SQL: the site, if it takes part in the network. */
function ofNetwork(siteId: string): string {
  return `select sensitive_topics, asks_for_proof, set_config('work_mem', '${CONTACTS_MB}MB', true) as work_mem from network_sites where site_id = ${quotedText(siteId)}`;
}

/**
 * Returns PostgreSQL SQL: people of other sites who share a contact with a requested person of this site. Each value is
 * one row; a person without values has a row of nulls, because that person counts among the people of the contact.
 */
function othersValues(asked: NetworkQuery): string {
  const { siteId, fields, asksForProof } = asked;
  const others = (contact: string): string => `
    select o.site_id, o.kind, o.person_id, ${CONTACTS}, n.sensitive_topics, ${asksForProof ? 'true' : 'n.asks_for_proof'} as asks_for_proof
      from site_people o join network_sites n on n.site_id = o.site_id
     where o.site_id <> ${quotedText(siteId)} and ${isWanted(asked, contact)}`;
  const [first = '', ...rest] = fields.map((field) =>
    field === 'interests' ? interests(asked) : values(asked, field),
  );
  // A person matched by e-mail is not matched by phone again. One field is read at a time, so that values are in the
  // order of their index.
  return `with others as (${others('email_hash')} union all ${others('phone_hash')} and not ${isWanted(asked, 'email_hash')}) ${[first, ...rest.map((more) => `${more} where v.source is not null`)].join(' union all ')}`;
}

/**
 * Returns the condition that a contact belongs to one of the site's people. If a single field is requested, people for
 * whom the site knows it itself do not count.
 */
function isWanted({ siteId, fields: [field, ...more] }: NetworkQuery, contact: string): string {
  const known = `select from site_person_values own where own.site_id = ${quotedText(siteId)} and own.field = '${field}' and own.kind = me.kind and own.person_id = me.person_id`;
  const isLeftOut = field !== undefined && isWhole(field) && more.length === 0;
  return `exists (select from site_people me where me.site_id = ${quotedText(siteId)} and me.${contact} = o.${contact}${isLeftOut ? ` and not exists (${known})` : ''})`;
}

const isWhole = (field: Field): boolean => CHOICE_OF[field] === undefined;

function values(asked: NetworkQuery, field: Field): string {
  return `select ${OTHER}, v.source, v.at as sent_at, v.field, v.attribute, v.value${hasAges(asked) ? `, v.born, ${TODAY}` : ''}
    from others o left join site_person_values v on ${passesOn(asked)} and v.field = '${field}'`;
}

function interests(asked: NetworkQuery): string {
  return `select ${OTHER}, v.source, v.at as sent_at, 'interests' as field, case when v.interest is not null then 'interest' end as attribute, v.interest as value${hasAges(asked) ? `, null::date as born, ${TODAY}` : ''}
    from others o left join site_person_interests v on ${passesOn(asked)} and v.is_topic`;
}

/** `…_by_server`: sent by the site's server, and not only by a browser. */
const CONTACTS =
  'email_hash, phone_hash, coalesce(email_hash = server_email_hash, false) as email_by_server, coalesce(phone_hash = server_phone_hash, false) as phone_by_server';
const OTHER =
  'o.site_id, o.kind, o.person_id, o.email_hash, o.phone_hash, o.email_by_server, o.phone_by_server, o.asks_for_proof';

function hasAges({ fields }: NetworkQuery): boolean {
  return fields.some((field) => AGES.has(field));
}

function passesOn({ takesSensitive }: NetworkQuery): string {
  return `v.site_id = o.site_id and v.kind = o.kind and v.person_id = o.person_id and (not v.is_sensitive${takesSensitive ? ' or o.sensitive_topics' : ''})`;
}

/** Returns DuckDB SQL over `values_of_others`. */
function decidedOfNetwork(asked: NetworkQuery): string {
  const whole = asked.fields.filter(isWhole);
  const chosen = asked.fields.filter((field) => !isWhole(field));
  const last = `
    select person, field, attribute, value from candidates
      semi join (select person, field, min(precedence) as precedence from candidates where field in (${literals(whole)}) group by all) using (person, field, precedence)`;
  // Equal values need no decision.
  const any = `select distinct person, field, attribute, value from candidates where field in (${literals(chosen)})`;
  return `with ${paired(asked)} ${[...(whole.length > 0 ? [last] : []), ...(chosen.length > 0 ? [any] : [])].join(' union all ')}`;
}

/**
 * Returns common table expressions of DuckDB: `candidates` has a row for each value that another site has for a person here.
 */
function paired(asked: NetworkQuery): string {
  const mine = `select kind, person_id, ${CONTACTS} from site_people where site_id = ${quotedText(asked.siteId)} and (email_hash is not null or phone_hash is not null)`;
  const pairs = (contact: string, condition: string): string => `
    select mine.kind, mine.person_id, source, sent_at, field, attribute, value${hasAges(asked) ? ', born, today' : ''}, others.site_id || '/' || others.kind || '/' || others.person_id as giver
      from values_of_others as others join mine on mine.${contact} = others.${contact}
      left join placeholders_email_hash as email on email.email_hash = others.email_hash and email.site_id = others.site_id
      left join placeholders_phone_hash as phone on phone.phone_hash = others.phone_hash and phone.site_id = others.site_id
     where attribute is not null and ${condition}`;
  const isMet = (contact: string): string =>
    `(${contact}.site_id is null and (not others.asks_for_proof or mine.${contact}_by_server and others.${contact}_by_server))`;
  // A person matched by e-mail is not matched by phone again.
  return `
    mine as materialized (from ${fromPostgres(mine)}),
    ${placeholders('email_hash')}, ${placeholders('phone_hash')},
    pairs as (
      ${pairs('email_hash', isMet('email'))}
      union all
      ${pairs('phone_hash', `${isMet('phone')} and (not ${isMet('email')} or (mine.email_hash = others.email_hash) is not true)`)}),
    candidates as materialized (
      select ${PERSON} as person, field, attribute, ${hasAges(asked) ? VALUE : 'value'} as value,
             {is_site: source = 'site', age: -epoch_us(sent_at), giver: giver} as precedence from pairs)`;
}

/**
 * Returns common table expressions of DuckDB. Most contacts belong to one person of each site, who has few rows; only
 * the rest are examined closely.
 */
function placeholders(contact: string): string {
  const isCrowd = `count(*) + coalesce(any_value(ours.people), 1) > ${MAX_PEOPLE_PER_CONTACT}`;
  return `
    ours_${contact} as (select ${contact}, count(*) as people from mine where ${contact} is not null group by all having count(*) > 1),
    crowds_${contact} as (select ${contact}, site_id from values_of_others left join ours_${contact} as ours using (${contact}) where ${contact} is not null group by all having ${isCrowd}),
    placeholders_${contact} as (
      select ${contact}, site_id from (select distinct ${contact}, site_id, kind, person_id from values_of_others semi join crowds_${contact} using (${contact}, site_id))
        left join ours_${contact} as ours using (${contact}) group by all having ${isCrowd})`;
}

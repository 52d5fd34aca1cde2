/** What a site itself was told of its people, and what holds of it. */
import { literal } from '../lake/database.ts';
import { personOfUser, type FIELD_OF } from './attributes.ts';
import { fromPostgres, literals } from './postgres.ts';

export type Field = (typeof FIELD_OF)[keyof typeof FIELD_OF];

/** Full years since a day, as `years_since` of migrations/0028_site_people.sql has them; `today` is of PostgreSQL's clock. */
const YEARS = `((year(today) * 10000 + month(today) * 100 + day(today) - year(born) * 10000 - month(born) * 100 - day(born)) // 10000)`;

/**
 * The value that stands in a report, from columns attribute, value, born and today: as the view site_told_values
 * and its age_group_of. Null for a child that has grown up.
 */
export const VALUE = `case
    when born is null then value
    when attribute = 'has_children' then if(${YEARS} < 18, 'yes', 'no')
    when attribute = 'children_age' then if(${YEARS} < 18, ${YEARS}::VARCHAR, null)
    when ${YEARS} < 18 then '0-17' when ${YEARS} < 25 then '18-24' when ${YEARS} < 35 then '25-34' when ${YEARS} < 45 then '35-44'
    when ${YEARS} < 55 then '45-54' when ${YEARS} < 65 then '55-64' else '65+' end`;

/** Within a field: of values of one choice one source is believed. */
export const CHOICE = `case field when 'params' then param when 'purchase_categories' then value when 'interests' then value else '' end`;

export const TODAY = `(now() at time zone 'UTC')::date as today`;

export const person = (kind: string, id: string): string => `if(${kind} = 'user', ${personOfUser(id)}, try_cast(${id} as UUID))`;

/**
 * A select of DuckDB: one row a value that was told, with `source` user or site.
 * @param params keys of params; values of others stay where they are
 */
export function ownValues(siteId: string, fields: readonly Field[], params: readonly string[]): string {
  const site = `site_id = ${literal(siteId)}`;
  // By branches: that of the fields reads nothing but the index site_person_values_field.
  const branches = [
    ...(fields.length > 0 ? [`select kind, person_id, source, field, attribute, null as param, value, born, ${TODAY} from site_person_values where ${site} and field in (${literals(fields)})`] : []),
    ...(fields.includes('interests') ? [`select kind, person_id, source, 'interests', 'interest', null, interest, null, null from site_person_interests where ${site} and is_topic`] : []),
    ...(params.length > 0 ? [`select kind, person_id, source, field, attribute, param, coalesce(value, json #>> '{}'), null, null from site_person_values where ${site} and field = 'params' and param in (${literals(params)})`] : []),
  ];
  return `select ${person('kind', 'person_id')} as person, source, field, attribute, param, ${VALUE} as value, ${CHOICE} as choice from ${fromPostgres(branches.join(' union all '))}`;
}

const lacks = (table: string, where: string): string => `not exists (select 1 from ${table} as before where before.person = told.person and before.field = told.field and before.choice = told.choice${where})`;

/** Of the tables `told_own` and `told_network`: users are believed before sites, and both before the network. */
export const DECIDED = `
  select person, attribute, param, value, source from told_own where source = 'user'
  union all
  select person, attribute, param, value, source from told_own as told where source = 'site' and ${lacks('told_own', ` and before.source = 'user'`)}
  union all
  select person, attribute, param, value, source from told_network as told where ${lacks('told_own', '')}`;

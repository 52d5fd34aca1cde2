/** Stored values and the precedence among them, one field at a time. */
import { quotedText } from '../sql/quotedText.ts';
import { CHOICE_OF, FIELD_OF, PERSON, type Field } from './attributes.ts';
import { fromPostgres, literals } from './postgres.ts';
import { isInSample } from './personSample.ts';

/** Full calendar years since a day, as `years_since` of migrations/0028_site_people.sql computes them. */
const YEARS = `((year(today) * 10000 + month(today) * 100 + day(today) - year(born) * 10000 - month(born) * 100 - day(born)) // 10000)`;

/**
 * The value shown in a report, from columns attribute, value, born and today, as in the view site_told_values and its
 * age_group_of. Null for a child that has grown up.
 */
export const VALUE = `case
    when born is null then value
    when attribute = 'has_children' then if(${YEARS} < 18, 'yes', 'no')
    when attribute = 'children_age' then if(${YEARS} < 18, ${YEARS}::VARCHAR, null)
    when ${YEARS} < 18 then '0-17' when ${YEARS} < 25 then '18-24' when ${YEARS} < 35 then '25-34' when ${YEARS} < 45 then '35-44'
    when ${YEARS} < 55 then '45-54' when ${YEARS} < 65 then '55-64' else '65+' end`;

/** The day by PostgreSQL's clock, as in the view. */
export const TODAY = `(now() at time zone 'UTC')::date as today`;

/** Fields that contain ages. */
export const AGES: ReadonlySet<Field> = new Set(['age_group', 'children']);

export interface RequestedField {
  field: Field;
  attributes: readonly string[];
  /** Keys of the field `params`. */
  params: readonly string[];
  /** Whether only a tenth of the visitors is read. */
  sampled: boolean;
}

/**
 * Returns whether a field has a single value: PostgreSQL then reads it in index order and returns the first value of
 * each person.
 */
const isSingle = (field: Field): boolean =>
  CHOICE_OF[field] === undefined && Object.values(FIELD_OF).filter((other) => other === field).length === 1;

/**
 * Returns a select of DuckDB: the effective values, in the columns of `effective_values`. Users take precedence over sites,
 * and both over the network (table `network_values`, see networkAttributes.ts).
 */
export function effectiveValues(siteId: string, asked: RequestedField, isInNetwork: boolean): string {
  const { field, attributes } = asked;
  const choice = CHOICE_OF[field];
  const isOutranked = (by: string): string =>
    `exists (select 1 from own as better where better.person = candidate.person${choice === undefined ? '' : ` and better.${choice} = candidate.${choice}`}${by})`;
  const ofSite = `
    select * from own where source = 'user'
    union all
    select * from own as candidate where source = 'site' and not ${isOutranked(` and better.source = 'user'`)}`;
  const ofNetwork = `union all by name select person, attribute, value, 'network' as source from network_values as candidate where field = '${field}' and not ${isOutranked('')}`;
  // Attributes with several values may have equal ones: two children of one age.
  return `
    with own as (select ${PERSON} as person, attribute, param, ${AGES.has(field) ? VALUE : 'value'} as value, source from ${fromPostgres(ownValues(siteId, asked))}),
    decided as (${isSingle(field) ? 'select * from own' : ofSite} ${isInNetwork ? ofNetwork : ''})
    select ${field === 'children' ? 'distinct' : ''} person, attribute, param, value, source from decided
     where attribute in (${literals(attributes)}) and value is not null and person is not null`;
}

/**
 * Returns PostgreSQL SQL. It reads all attributes of the field, because any of them may decide which source takes
 * precedence.
 */
function ownValues(siteId: string, { field, params, sampled }: RequestedField): string {
  const ofSite = `site_id = ${quotedText(siteId)}${sampled ? ` and (kind = 'user' or ${isInSample('person_id')})` : ''}`;
  if (field === 'interests') {
    return `select kind, person_id, source, 'interest' as attribute, null as param, interest as value from site_person_interests where ${ofSite} and is_topic`;
  }
  if (field === 'params') {
    return `select kind, person_id, source, attribute, param, coalesce(value, json #>> '{}') as value from site_person_values where ${ofSite} and field = 'params' and param in (${literals(params)})`;
  }
  const [first, order] = isSingle(field)
    ? ['distinct on (kind, person_id)', 'order by kind, person_id, source desc']
    : ['', ''];
  // Reads only columns of the index site_person_values_field.
  const ages = AGES.has(field) ? `, born, ${TODAY}` : '';
  return `select ${first} kind, person_id, source, attribute, null as param, value${ages} from site_person_values where ${ofSite} and field = '${field}' ${order}`;
}

/** Groups the attributes of people that are stored and decided together. */
import { DUCKDB } from '../sql/duckdb.ts';

/**
 * The field of each attribute: a source replaces all its former values of a field (domain/people/personValues.ts), and
 * one source takes precedence for the field.
 */
export const FIELD_OF = {
  gender: 'gender',
  age_group: 'age_group',
  interest: 'interests',
  has_children: 'children',
  children_age: 'children',
  company_type: 'company_type',
  industry: 'industry',
  company_region: 'company_region',
  purchase_category: 'purchase_categories',
  price_segment: 'price_segment',
  geo_person_country: 'geo',
  geo_person_region: 'geo',
  geo_person_city: 'geo',
  visitor_param: 'params',
} as const;

export type Attribute = keyof typeof FIELD_OF;
export type Field = (typeof FIELD_OF)[Attribute];

export function isAttribute(text: string): text is Attribute {
  return Object.hasOwn(FIELD_OF, text);
}

/** Fields whose values are decided separately: the source that takes precedence may differ from value to value. */
export const CHOICE_OF: Readonly<Partial<Record<Field, 'value' | 'param'>>> = {
  interests: 'value',
  purchase_categories: 'value',
  params: 'param',
};

/** The person, from the columns of a person's row in PostgreSQL. */
export const PERSON = `if(kind = 'user', ${DUCKDB.functions.personOfUser('person_id')}, try_cast(person_id as UUID))`;

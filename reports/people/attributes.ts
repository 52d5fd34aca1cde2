/** The attributes of people: which of them is told and decided together with which. */

/** By attribute its field: what one source tells of a field replaces what it told before (domain/people/facts.ts), and one source is believed. */
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

/** Fields of which each value is decided for itself: one source is believed in one value and another in the next. */
export const CHOICE_OF: Readonly<Partial<Record<Field, 'value' | 'param'>>> = {
  interests: 'value',
  purchase_categories: 'value',
  params: 'param',
};

/**
 * The person that a user is, as SQL of DuckDB: a UUID as visitors have one, so that persons of both kinds are compared as
 * 16 bytes instead of as texts.
 */
export function personOfUser(userId: string): string {
  return `md5(${userId})::UUID`;
}

/** From the columns of a person's row in PostgreSQL. */
export const PERSON = `if(kind = 'user', ${personOfUser('person_id')}, try_cast(person_id as UUID))`;

/** Converts the data sent about a person to stored values (tables site_person_values and site_person_interests). */
import { latestBirth } from './ages.ts';
import type { PersonData } from './personData.ts';

/** A value from one source for one field replaces that source's earlier value. */
export type Field =
  | 'gender'
  | 'age_group'
  | 'geo'
  | 'children'
  | 'company_type'
  | 'industry'
  | 'company_region'
  | 'purchase_categories'
  | 'price_segment'
  | 'params';

/** One value of an attribute; each of several values has its own position. */
export interface Value {
  attribute: string;
  place: number;
  /** The key of a visitor_param. */
  param: string | null;
  value: string | null;
  json: unknown;
  /** `YYYY-MM-DD`. */
  born: string | null;
  isSensitive: boolean;
}

export interface Interest {
  /** Id of a topic, or a text for which no topic was found. */
  interest: string;
  isTopic: boolean;
  isSensitive: boolean;
}

/** The lookups in the dictionaries. */
export interface PersonDictionaries {
  /** Returns the topic of an id or a text in any wording; null for a text that may not be stored. */
  interestOf(text: string): Interest | null;
  /**
   * Returns the place of a city's id or name, which means the largest city of that name; null for a text that may not
   * be stored.
   */
  placeOf(geo: {
    country?: string;
    region?: string;
    city?: string;
  }): { country: string | null; region: string | null; city: string | null } | null;
  isSensitiveCategory(id: string): boolean;
}

export interface PersonFacts {
  /** Fields with all of their values; an empty list means that the field was sent empty. */
  fields: Map<Field, Value[]>;
  /** Each interest once, however often it was sent. */
  interests: Interest[];
}

/** Converts the data. @param at when it was sent: ages refer to that day */
export function factsOf(data: PersonData, at: Date, dictionaries: PersonDictionaries): PersonFacts {
  const fields = new Map<Field, Value[]>();
  const code = (field: Field, value: string | undefined): void => {
    if (value !== undefined) fields.set(field, [valueOf(field, { value })]);
  };
  code('gender', data.gender);
  code('age_group', data.age_group);
  if (data.age !== undefined) fields.set('age_group', [valueOf('age_group', { born: latestBirth(data.age, at) })]);
  const geo = geoValues(data, dictionaries);
  if (geo) fields.set('geo', geo);
  const children = childrenValues(data, at);
  if (children) fields.set('children', children);
  code('company_type', data.company?.type);
  code('industry', data.company?.industry);
  code('company_region', data.company?.region);
  if (data.purchase_categories)
    fields.set('purchase_categories', categoryValues(data.purchase_categories, dictionaries));
  code('price_segment', data.price_segment);
  if (data.params) fields.set('params', paramValues(data.params));
  return { fields, interests: interestsOf(data.interests ?? [], dictionaries) };
}

function valueOf(attribute: string, given: Partial<Value>): Value {
  return { attribute, place: 0, param: null, value: null, json: null, born: null, isSensitive: false, ...given };
}

function geoValues(data: PersonData, dictionaries: PersonDictionaries): Value[] | null {
  const given = data.geo ?? (data.city === undefined ? null : { city: data.city });
  const place = given && dictionaries.placeOf(given);
  if (!place) return null;
  return (['country', 'region', 'city'] as const).flatMap((level) => {
    const value = place[level];
    return value === null ? [] : [valueOf(`geo_person_${level}`, { value })];
  });
}

/** Ages also answer `has_children`, until the youngest child has grown up. */
function childrenValues({ children, has_children: has }: PersonData, at: Date): Value[] | null {
  if (children === undefined)
    return has === undefined ? null : [valueOf('has_children', { value: has ? 'yes' : 'no' })];
  const ages = [...children].sort((a, b) => a - b);
  const youngest = ages[0];
  if (youngest === undefined) return [valueOf('has_children', { value: 'no' })];
  return [
    valueOf('has_children', { born: latestBirth(youngest, at) }),
    ...ages.map((age, place) => valueOf('children_age', { place, born: latestBirth(age, at) })),
  ];
}

function categoryValues(ids: readonly string[], dictionaries: PersonDictionaries): Value[] {
  return [...new Set(ids)].map((value, place) =>
    valueOf('purchase_category', { place, value, isSensitive: dictionaries.isSensitiveCategory(value) }),
  );
}

/** A param of null counts as missing. */
function paramValues(params: Record<string, unknown>): Value[] {
  const told = Object.entries(params).filter(([, json]) => json !== null);
  return told.map(([param, json], place) => valueOf('visitor_param', { place, param, json }));
}

function interestsOf(texts: readonly string[], dictionaries: PersonDictionaries): Interest[] {
  const found = new Map<string, Interest>();
  for (const text of texts) {
    const interest = dictionaries.interestOf(text);
    if (interest) found.set(`${interest.isTopic}:${interest.interest}`, interest);
  }
  return [...found.values()];
}

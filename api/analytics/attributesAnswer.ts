/**
 * Attributes of a person in responses: the codes that POST /visitors/attributes accepts. There is no personal data to
 * return: contacts are stored only as hashes (domain/people/contactHashes.ts), and params without personal data
 * (domain/privacy/removePersonalParams.ts).
 */
import Type from 'typebox';
import type { AudienceValue } from '../../db/sitePeople/readAudience.ts';
import { VALUE_SOURCES } from '../../domain/people/personData.ts';
import { nullable, oneOf, type Static } from '../../domain/schemas/schema.ts';

const code = nullable(Type.String());
const SOURCED = [
  'gender',
  'age_group',
  'geo',
  'children',
  'company_type',
  'industry',
  'company_region',
  'price_segment',
] as const;

export const Attributes = Type.Object(
  {
    gender: code,
    age_group: code,
    geo: Type.Object({
      country: code,
      region: code,
      city: nullable(Type.String({ description: 'Id, or the name of a city that the dictionary lacks' })),
    }),
    children: nullable(
      Type.Array(Type.Integer(), { description: 'Current ages, up to 17; null when they are not known' }),
    ),
    has_children: nullable(Type.Boolean()),
    company: Type.Object({ type: code, industry: code, region: code }),
    interests: Type.Array(
      Type.Object({
        interest: Type.String({ description: 'Id of a topic, or the text that was sent when no topic matches it' }),
        strength: Type.Integer({ minimum: 1, description: 'How often it was sent' }),
        source: oneOf(VALUE_SOURCES),
      }),
      { description: 'The strongest first' },
    ),
    purchase_categories: Type.Array(Type.String()),
    price_segment: code,
    params: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    sources: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', enum: [...VALUE_SOURCES] },
      description: `Where each known value comes from: ${SOURCED.join(', ')}. user takes precedence over site, and site over network`,
    }),
  },
  { title: 'Attributes', description: 'Unknown values are null or empty' },
);

export const ATTRIBUTES_EXAMPLE = {
  gender: 'female',
  age_group: '25-34',
  geo: { country: 'RU', region: 'RU-TA', city: 'ru-kazan' },
  children: [3, 12],
  has_children: true,
  company: { type: null, industry: 'it', region: null },
  interests: [{ interest: 'sport-football', strength: 2, source: 'user' }],
  purchase_categories: ['toys'],
  price_segment: null,
  params: { plan: 'annual' },
  sources: { gender: 'user', age_group: 'user', geo: 'user', children: 'user', industry: 'site' },
} as const;

/** @param values attributes of one person (db/sitePeople/readAudience.ts) */
export function attributesOf(values: readonly AudienceValue[]): Static<typeof Attributes> {
  const all = (attribute: string): AudienceValue[] => values.filter((value) => value.attribute === attribute);
  const one = (attribute: string): string | null => all(attribute)[0]?.value ?? null;
  const has = one('has_children');
  const ages = all('children_age').map(({ value }) => Number(value));
  return {
    gender: one('gender'),
    age_group: one('age_group'),
    geo: { country: one('geo_person_country'), region: one('geo_person_region'), city: one('geo_person_city') },
    children: ages.length > 0 || has === 'no' ? ages : null,
    has_children: has === null ? null : has === 'yes',
    company: { type: one('company_type'), industry: one('industry'), region: one('company_region') },
    interests: all('interest').map(({ value, strength, source }) => ({
      interest: value ?? '',
      strength: strength ?? 1,
      source,
    })),
    purchase_categories: all('purchase_category').map(({ value }) => value ?? ''),
    price_segment: one('price_segment'),
    params: Object.fromEntries(all('visitor_param').map(({ param, json }) => [param ?? '', json])),
    sources: sourcesOf(values),
  };
}

function sourcesOf(values: readonly AudienceValue[]): Record<string, string> {
  const named = values.map(
    ({ attribute, source }) =>
      [
        attribute.replace(/^geo_person_.*/, 'geo').replace(/^(has_children|children_age)$/, 'children'),
        source,
      ] as const,
  );
  const sources = new Map(named);
  return Object.fromEntries(SOURCED.flatMap((name) => (sources.has(name) ? [[name, sources.get(name) ?? '']] : [])));
}

/** Dimensions of the person's attributes. */
import { ageGroups, companyTypes, industries, priceSegments } from '../../../domain/dictionaries/index.ts';
import type { Attribute } from '../../people/attributes.ts';
import { call } from '../../sql/index.ts';
import { ATTRIBUTE_SOURCE, ATTRIBUTE_VALUE } from '../entry/terms.ts';
import type { Dimension } from '../entry/types.ts';
import { dimension } from './defineDimension.ts';

/** `id` names the attribute that the dimension shows; the type allows only attributes that reports load. */
type Given = Omit<Parameters<typeof dimension>[0], 'id' | 'group' | 'level' | 'key'> &
  Partial<Pick<Parameters<typeof dimension>[0], 'key'>> & { id: Attribute | 'value_source' };
const attribute = (given: Given): Dimension =>
  dimension({ group: 'audience', level: 'person', key: ATTRIBUTE_VALUE, ...given });

export const AUDIENCE: readonly Dimension[] = [
  attribute({ id: 'gender', label: { en: 'Gender', ru: 'Пол' } }),
  attribute({ id: 'age_group', codeNames: ageGroups, label: { en: 'Age', ru: 'Возраст' } }),
  attribute({ id: 'interest', names: 'interests', label: { en: 'Interest', ru: 'Интерес' } }),
  attribute({ id: 'has_children', label: { en: 'Has children', ru: 'Есть дети' } }),
  attribute({
    id: 'children_age',
    type: 'number',
    key: call('integerOrNull', ATTRIBUTE_VALUE),
    label: { en: 'Age of child', ru: 'Возраст ребёнка' },
  }),
  attribute({ id: 'company_type', codeNames: companyTypes, label: { en: 'Company type', ru: 'Тип компании' } }),
  attribute({ id: 'industry', codeNames: industries, label: { en: 'Industry', ru: 'Отрасль' } }),
  attribute({ id: 'company_region', names: 'regions', label: { en: 'Company region', ru: 'Регион компании' } }),
  attribute({
    id: 'purchase_category',
    names: 'purchase_categories',
    label: { en: 'Purchase category', ru: 'Категория покупок' },
  }),
  attribute({ id: 'price_segment', codeNames: priceSegments, label: { en: 'Price segment', ru: 'Ценовой сегмент' } }),
  attribute({
    id: 'geo_person_country',
    names: 'countries',
    label: { en: 'Country of person', ru: 'Страна человека' },
  }),
  attribute({ id: 'geo_person_region', names: 'regions', label: { en: 'Region of person', ru: 'Регион человека' } }),
  attribute({ id: 'geo_person_city', names: 'cities', label: { en: 'City of person', ru: 'Город человека' } }),
  attribute({ id: 'visitor_param', takes: 'key', label: { en: 'Visitor param', ru: 'Параметр посетителя' } }),
  attribute({
    id: 'value_source',
    takes: 'attribute',
    key: ATTRIBUTE_SOURCE,
    label: { en: 'Source of the value', ru: 'Источник значения' },
  }),
];

/**
 * Returns the attribute of people that a dimension of the audience shows, such as `{attribute: 'visitor_param', param:
 * 'plan'}`.
 */
export function attributeOf({ id }: Pick<Dimension, 'id'>, param: string): { attribute: string; param: string | null } {
  if (id !== 'value_source') return { attribute: id, param: id === 'visitor_param' ? param : null };
  const [attribute = '', ...rest] = param.split(':');
  return { attribute, param: attribute === 'visitor_param' ? rest.join(':') : null };
}

/**
 * Returns whether a text may follow `value_source:`: a dimension of the audience, and for visitor_param with its key.
 */
export function isAttribute(text: string): boolean {
  const { attribute, param } = attributeOf({ id: 'value_source' }, text);
  const found = AUDIENCE.find(({ id }) => id === attribute && id !== 'value_source');
  if (found === undefined) return false;
  return found.takes === 'key' ? param !== null && param !== '' : text === attribute;
}

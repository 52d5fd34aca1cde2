/** Dimensions of the person's attributes. */
import { ageGroups, companyTypes, industries, priceSegments } from '../../../domain/dictionaries/index.ts';
import type { Attribute } from '../../people/attributes.ts';
import { call } from '../../sql/index.ts';
import { TOLD_SOURCE, TOLD_VALUE } from '../entry/terms.ts';
import type { Dimension } from '../entry/types.ts';
import { dimension } from './defineDimension.ts';

/** The dimension shows the attribute of its id, so the attribute has to be loaded. */
type Given = Omit<Parameters<typeof dimension>[0], 'id' | 'group' | 'level' | 'key'> &
  Partial<Pick<Parameters<typeof dimension>[0], 'key'>> & { id: Attribute | 'value_source' };
const told = (given: Given): Dimension => dimension({ group: 'audience', level: 'person', key: TOLD_VALUE, ...given });

export const AUDIENCE: readonly Dimension[] = [
  told({ id: 'gender', label: { en: 'Gender', ru: 'Пол' } }),
  told({ id: 'age_group', codeNames: ageGroups, label: { en: 'Age', ru: 'Возраст' } }),
  told({ id: 'interest', names: 'interests', label: { en: 'Interest', ru: 'Интерес' } }),
  told({ id: 'has_children', label: { en: 'Has children', ru: 'Есть дети' } }),
  told({
    id: 'children_age',
    type: 'number',
    key: call('integerOrNull', TOLD_VALUE),
    label: { en: 'Age of child', ru: 'Возраст ребёнка' },
  }),
  told({ id: 'company_type', codeNames: companyTypes, label: { en: 'Company type', ru: 'Тип компании' } }),
  told({ id: 'industry', codeNames: industries, label: { en: 'Industry', ru: 'Отрасль' } }),
  told({ id: 'company_region', names: 'regions', label: { en: 'Company region', ru: 'Регион компании' } }),
  told({
    id: 'purchase_category',
    names: 'purchase_categories',
    label: { en: 'Purchase category', ru: 'Категория покупок' },
  }),
  told({ id: 'price_segment', codeNames: priceSegments, label: { en: 'Price segment', ru: 'Ценовой сегмент' } }),
  told({ id: 'geo_person_country', names: 'countries', label: { en: 'Country of person', ru: 'Страна человека' } }),
  told({ id: 'geo_person_region', names: 'regions', label: { en: 'Region of person', ru: 'Регион человека' } }),
  told({ id: 'geo_person_city', names: 'cities', label: { en: 'City of person', ru: 'Город человека' } }),
  told({ id: 'visitor_param', takes: 'key', label: { en: 'Visitor param', ru: 'Параметр посетителя' } }),
  told({
    id: 'value_source',
    takes: 'attribute',
    key: TOLD_SOURCE,
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

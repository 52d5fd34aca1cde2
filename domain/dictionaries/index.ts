/** The current dictionaries. A new version is a new file beside the old one; published ids keep their meaning. */
import { AGE_GROUPS } from '../people/ages.ts';
import type { PersonDictionaries } from '../people/personValues.ts';
import { interestOf, topics } from './interests.ts';
import { loadList, type Named, type Topic } from './loadDictionary.ts';
import { cities, countries, placeOf, regions } from './places.ts';

const CODE = /^[a-z0-9_+-]+$/;
const values = (file: string): ReadonlyMap<string, Named> => loadList<Named>(file, 'values', CODE);

export const purchaseCategories: ReadonlyMap<string, Topic> = loadList<Topic>(
  'purchase-categories.v1.json',
  'categories',
  /^[a-z0-9-]+$/,
);
export const companyTypes = values('company-types.v1.json');
export const industries = values('industries.v1.json');
export const priceSegments = values('price-segments.v1.json');
export const ageGroups = values('age-groups.v1.json');
export { cities, countries, regions, topics };

if ([...ageGroups.keys()].join() !== AGE_GROUPS.join())
  throw new Error('age-groups.v1.json: its groups are not those of domain/people/ages.ts');

export const dictionaries: PersonDictionaries = {
  interestOf,
  placeOf,
  isSensitiveCategory: (id) => purchaseCategories.get(id)?.sensitive ?? false,
};

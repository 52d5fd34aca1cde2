/** Attributes of a person in requests. */
import Type from 'typebox';
import {
  cities,
  companyTypes,
  countries,
  industries,
  priceSegments,
  purchaseCategories,
  regions,
  ageGroups,
} from '../../domain/dictionaries/index.ts';
import { countryOf, isWithin } from '../../domain/dictionaries/places.ts';
import { LANGUAGES } from '../../domain/language.ts';
import { PARAMS_MAX_BYTES } from '../../domain/people/paramsSize.ts';
import { PERSONAL_KEYS } from '../../domain/privacy/personalKeys.ts';
import { SERVER_USER_LIMITS } from '../../domain/people/personLimits.ts';
import { GENDERS } from '../../domain/people/profile.ts';
import { EMAIL_PATTERN } from '../../domain/people/tagUser.ts';
import type { FieldFault } from '../http/errors.ts';
import { freeObject, MAX_BYTES, oneOf, strictObject, text } from '../../domain/schemas/schema.ts';

const ids = (dictionary: ReadonlyMap<string, unknown>): string[] => [...dictionary.keys()];

export const email = text(SERVER_USER_LIMITS.email, {
  pattern: EMAIL_PATTERN,
  description: 'Stored only as a keyed hash, and never returned',
});
export const phone = text(SERVER_USER_LIMITS.phone, { description: 'Stored only as a keyed hash, and never returned' });
export const age = Type.Integer({
  minimum: SERVER_USER_LIMITS.minAge,
  maximum: SERVER_USER_LIMITS.maxAge,
  description: 'In full years; it grows as time passes',
});
export const gender = oneOf(GENDERS);
const languageNames = new Intl.DisplayNames('en', { type: 'language' });
/** The languages of the dictionaries' names, as descriptions list them: `Russian or English`. */
const LANGUAGES_OF_NAMES = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  LANGUAGES.map((language) => languageNames.of(language) ?? language),
);
export const CITY_NAME = `Name in ${LANGUAGES_OF_NAMES}`;
export const city = (description: string) => text(SERVER_USER_LIMITS.city, { description });
export const children = Type.Array(Type.Integer({ minimum: 0, maximum: SERVER_USER_LIMITS.maxChildAge }), {
  maxItems: SERVER_USER_LIMITS.children,
  description: 'Ages in full years; an empty list means no children',
});
export const interests = Type.Array(text(SERVER_USER_LIMITS.interest), {
  maxItems: SERVER_USER_LIMITS.interests,
  description: `Ids of topics or free texts in ${LANGUAGES_OF_NAMES}, which are matched to topics; each grows stronger whenever it is sent`,
});
export const params = freeObject({
  [MAX_BYTES]: PARAMS_MAX_BYTES,
  description: 'Anything but personal data, up to 4 KB. Replaced as a whole; a param that is null is left out',
});

/** The part of the descriptions that says which params are refused. */
export const PERSONAL_PARAMS = `Such keys are ${PERSONAL_KEYS.join(', ')} and similar ones in English, Russian and transliteration (such as dob, surname, snils, телефон, familia), whatever their case and separators. A part of a key is enough if it says whose data it is (user_email, billingAddress, client_tel). A key that is itself an e-mail address or a telephone number is refused too. Names of things are allowed: product_name.`;

export const ageGroup = oneOf(ids(ageGroups));
export const priceSegment = oneOf(ids(priceSegments));
export const categories = Type.Array(oneOf(ids(purchaseCategories)), {
  maxItems: SERVER_USER_LIMITS.categories,
  description: 'Ids of purchase categories; replaced as a whole',
});

export const Geo = strictObject(
  {
    country: Type.Optional(oneOf(ids(countries), { description: 'ISO 3166-1 alpha-2' })),
    region: Type.Optional(oneOf(ids(regions), { description: 'ISO 3166-2' })),
    city: Type.Optional(city('Id of a city, or its name')),
  },
  { title: 'Geo', description: 'Replaced as a whole. A city implies its region and country, a region its country' },
);

export const Company = strictObject(
  {
    type: Type.Optional(oneOf(ids(companyTypes))),
    industry: Type.Optional(oneOf(ids(industries))),
    region: Type.Optional(
      oneOf([...ids(regions), ...ids(countries)], {
        description: 'ISO 3166-2, or the country itself when the dictionary has no regions for it',
      }),
    ),
  },
  { title: 'Company' },
);

/**
 * Returns a fault when a place does not lie within the larger one that is sent with it, such as a city in another
 * region. It accepts any value, since it runs in addition to the schema.
 */
export function geoFaults(geo: unknown, path: string): FieldFault[] {
  const { country, region, city: town } = (geo ?? {}) as Record<string, unknown>;
  const known = typeof town === 'string' ? cities.get(town) : undefined;
  if (typeof region === 'string' && typeof country === 'string' && countryOf(region) !== country)
    return [{ field: `${path}.region`, code: 'invalid_value' }];
  const within = region ?? country;
  return known && typeof within === 'string' && !isWithin(known, within)
    ? [{ field: `${path}.city`, code: 'invalid_value' }]
    : [];
}

/** Names of codes: by the dictionary that a dimension's codes are of. */
import { cities, countries, purchaseCategories, regions, topics } from '../../dictionaries/index.ts';
import type { Names } from '../registry/index.ts';
import type { Language, ReportSite } from '../request.ts';

interface Named {
  ru: string;
  en: string;
}

/** The name of a code; undefined where none is known. */
type NameOf = (code: string, language: Language, site: ReportSite) => string | undefined;

/** Continents are areas of UN M49 to CLDR, but for Antarctica. */
const CONTINENT_AREAS: ReadonlyMap<string, string> = new Map(
  Object.entries({ AF: '002', AN: 'AQ', AS: '142', EU: '150', NA: '003', OC: '009', SA: '005' }),
);

const regionNames = new Map<Language, Intl.DisplayNames>();

function areaName(area: string, language: Language): string | undefined {
  const names = regionNames.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  regionNames.set(language, names);
  return names.of(area);
}

function continentName(code: string, language: Language): string | undefined {
  const area = CONTINENT_AREAS.get(code);
  return area === undefined ? undefined : areaName(area, language);
}

/** The dictionary's names are those of the attribute `country` too; Intl throws at what has not the form of a code. */
function countryName(code: string, language: Language): string | undefined {
  return countries.get(code)?.[language] ?? (/^[A-Z]{2}$/.test(code) ? areaName(code, language) : undefined);
}

/** Of a company it may be a country whose regions are not known. */
function regionName(code: string, language: Language): string | undefined {
  return regions.get(code)?.[language] ?? countryName(code, language);
}

const fromDictionary =
  (dictionary: ReadonlyMap<string, Named>): NameOf =>
  (code, language) =>
    dictionary.get(code)?.[language];

/** What a visit has by IP are no ids but English names (docs/decisions/enrichment.md). */
function fromEnglish(dictionary: ReadonlyMap<string, Named>): NameOf {
  const byEnglish = new Map([...dictionary.values()].reverse().map((named) => [named.en, named]));
  return (code, language) => byEnglish.get(code)?.[language];
}

/** By what the registry says of a dimension whose labels are `{id, name}`. */
export const NAMES: Readonly<Record<Names, NameOf>> = {
  continents: continentName,
  countries: countryName,
  regions_by_name: fromEnglish(regions),
  cities_by_name: fromEnglish(cities),
  regions: regionName,
  cities: fromDictionary(cities),
  interests: fromDictionary(topics),
  purchase_categories: fromDictionary(purchaseCategories),
  goals: (code, _language, site) => site.goals.find((goal) => goal.code === code)?.title,
};

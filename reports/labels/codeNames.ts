/** Names of codes, by the dictionary that a dimension's codes belong to. */
import { cities, countries, purchaseCategories, regions, topics } from '../../domain/dictionaries/index.ts';
import type { Names } from '../registry/index.ts';
import type { Language } from '../../domain/language.ts';
import type { ReportSite } from '../reportRequest.ts';

type Named = Readonly<Record<Language, string>>;

/** Returns the name of a code; undefined if none is known. */
type NameOf = (code: string, language: Language, site: ReportSite) => string | undefined;

/** CLDR has the names of continents as UN M49 areas, except Antarctica. */
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

/** The dictionary also names the attribute `country`; Intl throws on a malformed code. */
function countryName(code: string, language: Language): string | undefined {
  return countries.get(code)?.[language] ?? (/^[A-Z]{2}$/.test(code) ? areaName(code, language) : undefined);
}

/** Returns the name of a region; for a company it may be a country whose regions are unknown. */
function regionName(code: string, language: Language): string | undefined {
  return regions.get(code)?.[language] ?? countryName(code, language);
}

const fromDictionary =
  (dictionary: ReadonlyMap<string, Named>): NameOf =>
  (code, language) =>
    dictionary.get(code)?.[language];

/** Visits located by IP have English names instead of ids (docs/decisions/enrichment.md). */
function fromEnglish(dictionary: ReadonlyMap<string, Named>): NameOf {
  const byEnglish = new Map([...dictionary.values()].reverse().map((named) => [named.en, named]));
  return (code, language) => byEnglish.get(code)?.[language];
}

/** The names of each dictionary that the registry assigns to a dimension with labels `{id, name}`. */
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

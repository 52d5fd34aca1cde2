/** Countries (ISO 3166-1), regions (ISO 3166-2) and cities. */
import { isKeepable } from '../people/keepableTexts.ts';
import { loadList, namesOf, type City, type Named } from './loadDictionary.ts';
import { foldText } from './stems.ts';

const FILE = 'places.v1.json';
export const countries: ReadonlyMap<string, Named> = loadList<Named>(FILE, 'countries', /^[A-Z]{2}$/);
export const regions: ReadonlyMap<string, Named> = loadList<Named>(FILE, 'regions', /^[A-Z]{2}-[A-Z0-9]{1,3}$/);
export const cities: ReadonlyMap<string, City> = loadList<City>(FILE, 'cities', /^[a-z]{2}-[a-z0-9-]+$/);

for (const { id } of regions.values())
  if (!countries.has(countryOf(id))) throw new Error(`${FILE}: ${id} is in no country`);
for (const city of cities.values())
  if (!regions.has(city.in) && !countries.has(city.in))
    throw new Error(`${FILE}: ${city.id} is in no region or country`);

const MAX_TEXT = 200;

/** Returns the country of a region's code. */
export function countryOf(code: string): string {
  return code.slice(0, 2);
}

/** Replaces hyphens, dots and apostrophes by spaces, because people may omit them: Rostov-on-Don, St. Petersburg. */
function nameKey(name: string): string {
  return foldText(name)
    .replaceAll(/[\s.’'–—-]+/g, ' ')
    .trim();
}

const byName = Map.groupBy(
  [...cities.values()].flatMap((city) =>
    [...namesOf(city), ...(city.aliases ?? [])].map((name) => ({ key: nameKey(name), city })),
  ),
  ({ key }) => key,
);

export interface GivenPlace {
  country?: string;
  region?: string;
  /** Id or name. */
  city?: string;
}

export interface FoundPlace {
  country: string | null;
  region: string | null;
  /** Id, or the folded name of a city that the dictionary lacks. */
  city: string | null;
}

/**
 * Fills in what a smaller place implies. A name means the largest city of that name in the given region or country; the
 * part before the first comma counts as well (`Казань, Татарстан`).
 * @returns null when nothing is left: a name that may not be stored
 */
export function placeOf({ country, region, city }: GivenPlace): FoundPlace | null {
  const found =
    city === undefined
      ? undefined
      : (cities.get(city) ??
        cityNamed(city, region ?? country) ??
        cityNamed(city.split(',')[0] ?? '', region ?? country));
  const within = found && regions.has(found.in) ? found.in : (region ?? null);
  const land = found ? countryOf(found.in) : (country ?? (region === undefined ? null : countryOf(region)));
  const place: FoundPlace = {
    country: land,
    region: within,
    city: found?.id ?? (city === undefined ? null : keptName(city)),
  };
  return place.country === null && place.region === null && place.city === null ? null : place;
}

function cityNamed(name: string, within: string | undefined): City | undefined {
  return byName.get(nameKey(name))?.find(({ city }) => within === undefined || isWithin(city, within))?.city;
}

/** Returns true when a city is in a region or country; a city without a region may be in any region of its country. */
export function isWithin(city: City, code: string): boolean {
  return city.in === code || countryOf(city.in) === code || city.in === countryOf(code);
}

function keptName(name: string): string | null {
  const folded = foldText(name);
  return isKeepable(folded) ? [...folded].slice(0, MAX_TEXT).join('') : null;
}

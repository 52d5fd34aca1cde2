/** The key under which a city or country is counted, whichever of its names is given. */
import { namesOf } from './loadDictionary.ts';
import { cities, countries, placeOf } from './places.ts';
import { foldText } from './stems.ts';

const countryByName = new Map(
  [...countries.values()].flatMap((country) =>
    [country.id, ...namesOf(country)].map((name) => [foldText(name), country.id]),
  ),
);

/** Number of texts whose keys are cached: profiles repeat the same few texts. */
const REMEMBERED = 20_000;
const keys = new Map<string, string | null>();

/**
 * Returns the id of a city or country of the dictionary, else the folded name; null for a text that may not be stored.
 */
export function regionKey(text: string): string | null {
  const known = keys.get(text);
  if (known !== undefined) return known;
  const name = foldText(text);
  const key = countryByName.get(name) ?? (cities.has(name) ? name : (placeOf({ city: text })?.city ?? null));
  if (keys.size >= REMEMBERED) keys.clear();
  keys.set(text, key);
  return key;
}

/** Returns the keys of the places that a profile names, each once. */
export function regionKeysOf({ city, country }: { city: string | null; country: string | null }): string[] {
  const found = [city, country].flatMap((text) => (text === null ? [] : (regionKey(text) ?? [])));
  return [...new Set(found)];
}

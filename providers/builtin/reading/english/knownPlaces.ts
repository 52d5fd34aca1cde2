import { cities, countries, regions } from '../../../../domain/dictionaries/places.ts';
import { WELL_KNOWN_PLACES } from './wellKnownPlaces.ts';

/** Counties: "Gloucestershire". */
const COUNTY = /^\p{L}{3,}shire$/u;

let knownPlaces: Set<string> | undefined;

/**
 * Returns whether a name is that of a town, region or country of the product's dictionary, or of a place that is well
 * known to English readers.
 */
export function isKnownPlace(name: string): boolean {
  knownPlaces ??= new Set([
    ...[cities, regions, countries].flatMap((list) => [...list.values()].map(({ en }) => en.toLowerCase())),
    ...WELL_KNOWN_PLACES.map((place) => place.toLowerCase()),
  ]);
  return knownPlaces.has(name.toLowerCase()) || COUNTY.test(name);
}

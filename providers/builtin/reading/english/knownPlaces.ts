import { cities, countries, regions } from '../../../../domain/dictionaries/places.ts';

let knownPlaces: Set<string> | undefined;

/** Returns whether it is a town, region or country of the product's dictionary. */
export function isKnownPlace(name: string): boolean {
  knownPlaces ??= new Set(
    [cities, regions, countries].flatMap((list) => [...list.values()].map(({ en }) => en.toLowerCase())),
  );
  return knownPlaces.has(name.toLowerCase());
}

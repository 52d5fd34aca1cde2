/**
 * Russian and English stems by the Snowball algorithms (Porter 2001, "Snowball: a language for stemming algorithms").
 * The alphabet of each word selects the algorithm, so mixed texts need no language setting.
 */
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as russian } from '@orama/stemmers/russian';
import { scriptOf } from './words.ts';

/** Stemming takes a few microseconds a word, a cache look-up less than 0.1 µs, and running text repeats words. */
const CACHE_LIMIT = 50_000;
const cache = new Map<string, string>();

/**
 * Returns the stem of a folded word (see `foldWord`: the Russian algorithm expects е instead of ё). Words in other
 * scripts or with digits are returned unchanged. Deterministic.
 */
export function stem(folded: string): string {
  const known = cache.get(folded);
  if (known !== undefined) return known;
  const result = computeStem(folded);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(folded, result);
  return result;
}

function computeStem(folded: string): string {
  const script = scriptOf(folded);
  if (script === 'cyrillic') return russian(folded);
  if (script === 'latin') return english(folded.replaceAll('’', "'"));
  return folded;
}

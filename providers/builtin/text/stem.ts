/**
 * Russian and English stems by the Snowball algorithms (Porter 2001, "Snowball: a language for
 * stemming algorithms"). The alphabet of the word chooses the algorithm, so mixed texts need no
 * language of their own.
 */
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as russian } from '@orama/stemmers/russian';
import { scriptOf } from './words.ts';

/** Stemming costs some microseconds a word, a look-up under 0.1 µs; running text repeats itself. */
const CACHE_LIMIT = 50_000;
const cache = new Map<string, string>();

/**
 * Stem of a folded word (see `foldWord`: the Russian algorithm expects ё already written as е).
 * Words of other scripts and with digits are returned unchanged. Deterministic.
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

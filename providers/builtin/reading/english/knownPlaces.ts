import { cities, countries, regions } from '../../../../domain/dictionaries/places.ts';
import type { NameSpan, TaggedWord } from '../common/types.ts';
import { WELL_KNOWN_PLACES } from './wellKnownPlaces.ts';

/** Counties: "Gloucestershire". */
const COUNTY = /^\p{L}{3,}shire$/u;
/** "Myanmar (Burma)" has two names. */
const OTHER_NAME = /^(.+) \((.+)\)$/;

let knownPlaces: Set<string> | undefined;

/**
 * Returns whether a name is that of a town, region or country of the product's dictionary, or of a place that is well
 * known to English readers.
 * @param name its words and signs may be separated by spaces, as the networks' are: "Stoke - on - Trent"
 */
export function isKnownPlace(name: string): boolean {
  knownPlaces ??= new Set(
    [
      ...[cities, regions, countries].flatMap((list) => [...list.values()].flatMap(({ en }) => namesIn(en))),
      ...WELL_KNOWN_PLACES,
    ].map(keyOf),
  );
  return knownPlaces.has(keyOf(name)) || COUNTY.test(name);
}

function namesIn(name: string): string[] {
  return OTHER_NAME.exec(name)?.slice(1) ?? [name];
}

function keyOf(name: string): string {
  const folded = name.toLowerCase().replaceAll('’', "'").replaceAll('&', 'and');
  return folded.replaceAll(/ ?[-‐‑] ?/g, '-');
}

/** Words of the longest such name, "South Georgia and South Sandwich Islands"; hyphens count as words. */
const MAX_WORDS = 6;
const JOINT = /^(?:[-‐‑&]|and)$/;

/**
 * Returns the known places whose words are joined by hyphens or "and", in order: the network finds parts of them at
 * best, such as a person called Don in "Rostov-on-Don".
 */
export function joinedPlaces(words: readonly TaggedWord[]): NameSpan[] {
  const places: NameSpan[] = [];
  for (let from = 0; from < words.length; from += 1) {
    const to = endOfPlace(words, from);
    if (to === from) continue;
    places.push({ type: 'place', from, to });
    from = to - 1;
  }
  return places;
}

/** Returns the end of the longest such place that begins here; `from` without one. */
function endOfPlace(words: readonly TaggedWord[], from: number): number {
  const isPossible =
    /^\p{Lu}/u.test(words[from]?.text ?? '') && [1, 2].some((by) => JOINT.test(words[from + by]?.text ?? ''));
  if (!isPossible) return from;
  for (let to = Math.min(words.length, from + MAX_WORDS); to > from + 2; to -= 1) {
    const own = words.slice(from, to);
    if (own.at(-1)?.sentence !== own[0]?.sentence || !own.some(({ text }) => JOINT.test(text))) continue;
    if (isKnownPlace(own.map(({ text }) => text).join(' '))) return to;
  }
  return from;
}

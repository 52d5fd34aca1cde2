/** Finds entries of a dictionary by the beginning or a part of their names. */
import { LANGUAGES, type Language } from '../language.ts';
import { cities, countries, regions } from './places.ts';
import { topics } from './interests.ts';
import { purchaseCategories } from './index.ts';
import { namesOf, type City, type Named, type Topic } from './loadDictionary.ts';
import { foldText } from './stems.ts';

export interface FoundEntry extends Named {
  /** The id of the topic, category, region or country that contains it; null at the top. */
  parent: string | null;
}

interface Entry extends FoundEntry {
  /** Its names, other names, and its id, folded. */
  texts: readonly string[];
}

type Listed = Named & Partial<Pick<Topic, 'parent' | 'synonyms'> & Pick<City, 'in' | 'aliases'>>;

function entryOf(listed: Listed): Entry {
  const { id, parent, synonyms = [], in: within, aliases = [] } = listed;
  const names = Object.fromEntries(LANGUAGES.map((language) => [language, listed[language]]));
  return {
    id,
    ...(names as Record<Language, string>),
    parent: parent ?? within ?? null,
    texts: [...namesOf(listed), ...synonyms, ...aliases, id].map(foldText),
  };
}

/** Entries in the order in which they are returned when nothing is typed yet. */
const DICTIONARIES = {
  interests: [...topics.values()].map(entryOf),
  'purchase-categories': [...purchaseCategories.values()].map(entryOf),
  countries: [...countries.values()].map(entryOf),
  regions: [...regions.values()].map((region) => ({ ...entryOf(region), parent: region.id.slice(0, 2) })),
  cities: [...cities.values()].map(entryOf),
} as const satisfies Record<string, readonly Entry[]>;

export type DictionaryName = keyof typeof DICTIONARIES;
export const DICTIONARY_NAMES = Object.keys(DICTIONARIES) as DictionaryName[];

/**
 * Returns the entries with a name that begins with the text, then those with a name that contains it; each in the order
 * of the dictionary. A dictionary has at most a thousand entries, so a full scan takes less than a millisecond.
 */
export function lookUp(name: DictionaryName, text: string, limit: number): FoundEntry[] {
  const typed = foldText(text);
  const entries: readonly Entry[] = DICTIONARIES[name];
  const begins = entries.filter(({ texts }) => texts.some((one) => one.startsWith(typed)));
  const has = begins.length < limit ? entries.filter(({ texts }) => texts.some((one) => one.includes(typed))) : [];
  return [...new Set([...begins, ...has])].slice(0, limit).map(({ texts: _texts, ...entry }) => entry);
}

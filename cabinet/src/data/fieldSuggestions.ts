/** Suggestions for fields while somebody types. */
import type { Language } from '../words/load.ts';
import { api, type cabinet } from './client.ts';

export type DictionaryEntry = cabinet.DictionaryEntry;
export type DictionaryName = 'interests' | 'purchase-categories' | 'countries' | 'regions' | 'cities';

/** A suggestion: the value for the field, and the text that is shown with it. */
export interface Suggestion {
  value: string;
  about?: string;
}

/** The query for the text in a field. */
export interface SuggestQuery {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal }) => Promise<Suggestion[]>;
  staleTime: number;
}

const MAX_SUGGESTIONS = 10;
const FRESH_MS = 5 * 60_000;
const ASK = {
  interests: 'lookUpInterests',
  'purchase-categories': 'lookUpPurchaseCategories',
  countries: 'lookUpCountries',
  regions: 'lookUpRegions',
  cities: 'lookUpCities',
} as const satisfies Record<DictionaryName, keyof typeof api>;

/** Suggests items of a project whose id begins with the text, or whose title contains it. */
export const itemSuggestions = (project: string, text: string): SuggestQuery => ({
  queryKey: ['look-up', 'items', project, text],
  queryFn: async ({ signal }) => {
    const { data } = await api.listProjectItems({
      signal,
      path: { id: project },
      query: { limit: MAX_SUGGESTIONS, ...(text !== '' && { q: text }) },
    });
    return data.items.map(({ id, title }) => ({ value: id, ...(title !== null && { about: title }) }));
  },
  staleTime: FRESH_MS,
});

/** Suggests names of a dictionary in the language of the page; the API finds them by names in any language. */
export const dictionarySuggestions = (name: DictionaryName, text: string, language: Language): SuggestQuery => ({
  queryKey: ['look-up', name, language, text],
  queryFn: async ({ signal }) => {
    const { data } = await api[ASK[name]]({ signal, query: { limit: MAX_SUGGESTIONS, q: text } });
    return data.items.map((entry) => ({ value: entry[language], about: entry.id }));
  },
  staleTime: FRESH_MS,
});

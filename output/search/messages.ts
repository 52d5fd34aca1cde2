/** What the API asks of the selection process for searches, and what it answers: JSON over HTTP, within the installation. */
import type { Boost } from '../../domain/output/boosts.ts';
import type { ShowRules } from '../../domain/output/mayShow.ts';
import type { FacetCount, FacetName, SearchSort } from '../../domain/search/refinements.ts';

export const SEARCH_PATH = '/search';
export const SUGGEST_PATH = '/suggest';

interface Asked {
  projectId: string;
  rules: ShowRules;
  /** Items whose like is not wanted for a while. */
  suppressed: readonly string[];
  /** Items that the person has met, where these are not to come: they do not count either. */
  seen: readonly string[];
  query: string;
  typos: boolean;
  prefix: boolean;
  limit: number;
}

export interface SearchQuestion extends Asked {
  /** Shown on earlier pages, or judged already: they count, and do not come. */
  passedOver: readonly string[];
  /** They come whatever the query says, so they count; on which places, whoever asks knows. */
  pinned: readonly string[];
  /** They multiply relevance. */
  boosts: readonly Boost[];
  /** The weight of meaning against words, 0 to 1. */
  semantic: number | 'auto';
  facets: readonly FacetName[];
  sort: SearchSort;
  taste: Taste | null;
}

/** What is known of the person, for the order of the first results. */
export interface Taste {
  /** 0 to 1. */
  weight: number;
  /** Items that the person liked, each with a weight above 0. */
  items: readonly { id: string; weight: number }[];
  authors: readonly string[];
  /** Keys of output/interests.ts. */
  interests: readonly string[];
}

export interface SuggestQuestion extends Asked {}

export interface FoundItem {
  id: string;
  /** Comparable within one answer. */
  score: number;
}

export interface SearchReply {
  found: readonly FoundItem[];
  mode: 'hybrid' | 'lexical';
  /** What the query was compared by; null without meaning. */
  model: string | null;
  /** Everything that the question allows, shown or not. */
  total: number;
  facets: readonly FacetCount[];
  corrected: string | null;
  /** What to mark in texts. */
  marks: Marks;
  /** Nothing comes after these. */
  isAll: boolean;
}

/** What the words of a query stand for: a word of a text is marked when its stem or its beginning is one of these. */
export interface Marks {
  stems: readonly string[];
  /** Folded. */
  prefixes: readonly string[];
}

export const SUGGESTION_KINDS = ['query', 'title', 'author', 'tag'] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

export interface Suggestion {
  text: string;
  kind: SuggestionKind;
}

export interface SuggestReply {
  suggestions: readonly Suggestion[];
  marks: Marks;
}

/**
 * Questions that the API asks the selection process about searches, and the answers: JSON over HTTP, within the
 * installation.
 */
import type { Boost } from '../../domain/output/boosts.ts';
import type { AllowedItems } from '../../domain/output/mayShow.ts';
import type { FacetCount, FacetName, SearchSort } from '../../domain/search/facetAndSortNames.ts';

export const SEARCH_PATH = '/search';
export const SUGGEST_PATH = '/suggest';

interface SearchQuestionBase extends AllowedItems {
  /** Items that are left out because the person has met them; they are not counted either. */
  seen: readonly string[];
  query: string;
  typos: boolean;
  prefix: boolean;
  limit: number;
  /** As in selectionMessages.ts. */
  changedAt?: number | null;
}

export interface SearchQuestion extends SearchQuestionBase {
  /** Items shown on earlier pages, or checked already: they are counted, but not returned. */
  passedOver: readonly string[];
  /** Items that are shown whatever the query finds, so they are counted; the caller knows their positions. */
  pinned: readonly string[];
  /** Factors of the relevance. */
  boosts: readonly Boost[];
  /** The weight of meaning relative to words, 0 to 1. */
  semantic: number | 'auto';
  /** True if pictures are not searched; absent means false. */
  isWithoutPictures?: boolean;
  /** True if each hit is to come with the parts of its score; absent means false. */
  explain?: boolean;
  facets: readonly FacetName[];
  sort: SearchSort;
  taste: Taste | null;
}

/** The tastes of the person, by which the first results are ordered. */
export interface Taste {
  /** 0 to 1. */
  weight: number;
  /** Items that the person liked, each with a weight above 0. */
  items: readonly { id: string; weight: number }[];
  authors: readonly string[];
  /** Keys of output/interests.ts. */
  interests: readonly string[];
}

export interface SuggestQuestion extends SearchQuestionBase {}

export interface FoundItem {
  id: string;
  /** Comparable within one answer. */
  score: number;
  /** Product of the factors of the boosts; missing if it is 1. */
  factor?: number;
  /** The number of its picture that looks like the query; absent when none does. */
  picture?: number;
  /**
   * Set if requested: what words and meaning add to the score, before the factor, and what the person's taste adds to
   * the order.
   */
  parts?: Readonly<Partial<Record<'words' | 'meaning' | 'taste', number>>>;
}

export interface SearchReply {
  found: readonly FoundItem[];
  mode: 'hybrid' | 'lexical';
  /** The model of the vectors that the query was compared with; null if the search was by words alone. */
  model: string | null;
  /** The query's vector, for finding the moments of media that are nearest to it; absent after a search by words. */
  meaning?: SentMeaning;
  /** True if there is a model for pictures, but the query's vector was late, so that nothing was found by pictures. */
  isSightLate?: boolean;
  /** Number of all hits that the question allows, shown or not. */
  total: number;
  facets: readonly FacetCount[];
  corrected: string | null;
  /** The words to mark in texts. */
  marks: Marks;
  /** Forms of the marks' stems; a selection process of the previous release sends none. */
  forms?: WordForms;
  /** No further hits follow these. */
  isAll: boolean;
}

/** The vector of a query, of the answer's model. */
export interface SentMeaning {
  /** The numbers of the vector (domain/output/vectors.ts), a signed byte each, in Base64. */
  vector: string;
  /** The cosine from which something counts as similar. */
  threshold: number;
}

/** The folded words of documents by their stem; a stem with too many words is missing. */
export type WordForms = Readonly<Record<string, readonly string[]>>;

/**
 * The stems and prefixes that a query stands for: a word of a text is marked when its stem or its beginning is one of
 * them.
 */
export interface Marks {
  stems: readonly string[];
  /** Folded prefixes. */
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

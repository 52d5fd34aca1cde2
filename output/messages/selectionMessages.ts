/** Questions that the API asks the selection process, and the answers: JSON over HTTP, within the installation. */
import type { Boost } from '../../domain/output/boosts.ts';
import type { Period } from '../../domain/output/popularity.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { AllowedItems, ShowRules } from '../../domain/output/mayShow.ts';

export const RANK_PATH = '/rank';

/** The settings of a request that decide the order of the items; they must be known before the ranking is cut off. */
export interface Ordering {
  boosts: readonly Boost[];
  /** Items that are moved down, each with the factor of its score. */
  lowered: readonly (readonly [id: string, factor: number])[];
  /** Maximum number of items per author; the others come with later requests. Null means no limit. */
  perAuthor: number | null;
  /** 0 to 1 (domain/output/page/diversity.ts). */
  diversity: number;
  /** Items before the ranked ones, on this page or earlier. */
  before: readonly string[];
  /** Number of positions that diversity arranges. */
  places: number;
}

/** Fields common to all kinds of question. */
export interface RankQuestionBase extends AllowedItems {
  /** Items to omit although no rule forbids them: shown on earlier pages, seen, or checked already. */
  passedOver: readonly string[];
  ordering: Ordering;
  limit: number;
  /**
   * The latest change of an item of the project before the question, in microseconds since 1970; null when there was
   * none. The API of the previous release does not send it.
   */
  changedAt?: number | null;
}

/** Asks for items similar to one item. */
export interface SimilarQuestion extends RankQuestionBase {
  kind: 'similar';
  item: string;
}

export interface WeightedItem {
  item: string;
  /** Negative for an unwanted item. */
  weight: number;
}

/** An interest as its key for comparison (output/interests.ts), and as the person wrote it. */
export interface NamedInterest {
  key: string;
  value: string;
}

/** The person's taste, as far as a question knows it; empty for an unknown person. */
export interface Taste {
  /** The most recently met item first. */
  items: readonly WeightedItem[];
  interests: readonly NamedInterest[];
  followedAuthors: readonly string[];
}

/** A question that is ranked by a trained model. */
interface LearnedQuestion extends RankQuestionBase {
  /**
   * Id of the model to rank by; null means the published one, which is also used while the named one is unavailable.
   */
  model: string | null;
}

/** A question that is ranked for a person. */
interface PersonalQuestion extends LearnedQuestion {
  taste: Taste;
  /** Share of the positions from the third on that new items get, and the seed of the random choice. */
  exploration: number;
  seed: number;
  /** The answer includes the parts of the scores. */
  explain: boolean;
}

/** A city or country, as its key in the counts (domain/dictionaries/regions.ts), and as it was written. */
export interface NamedRegion {
  key: string;
  value: string;
}

/** Asks what to show to a person. */
export interface FeedQuestion extends PersonalQuestion {
  kind: 'feed';
  /** Location of a person who has met nothing yet; empty for others. */
  places: readonly NamedRegion[];
}

/** Asks what to show after a session. */
export interface NextQuestion extends PersonalQuestion {
  kind: 'next';
  /** Items of the session, oldest first. */
  session: readonly string[];
}

/** Asks for popular items. */
export interface PopularQuestion extends RankQuestionBase {
  kind: 'popular';
  period: Period;
  /** Orders by the rise of popularity instead of its amount. */
  trend: boolean;
  region: NamedRegion | null;
}

/** Asks what goes with the items of a cart. */
export interface TogetherQuestion extends LearnedQuestion {
  kind: 'together';
  items: readonly string[];
}

/** Each kind has its own ranker (rank.ts). */
export type RankQuestion = SimilarQuestion | FeedQuestion | NextQuestion | PopularQuestion | TogetherQuestion;

/** A question as it is sent. */
export type Timed<Q> = Q & {
  /** Remaining time of the sender, in milliseconds. */
  msLeft: number;
};

export interface RankedItem {
  id: string;
  /** Comparable within one answer. */
  score: number;
  reason: Reason;
  /** The parts of the score, when the question asks for them. */
  parts?: Readonly<Record<string, number>>;
  /** Product of the factors of boosts and rotation; missing if it is 1. */
  factor?: number;
  /** The probability with which it got its position; missing if it is 1. */
  propensity?: number;
  /**
   * True for a new item that is tried at its position; the previous release sent only `propensity`, and only for these.
   */
  isTrial?: boolean;
}

export interface RankAnswer {
  /** Descending by score. */
  ranked: readonly RankedItem[];
  /** The model that ranked the items. */
  model: string | null;
  mode: OutputMode;
  /** There are no further items that the question allows. */
  isAll: boolean;
}

/** Sets as lists. */
type SetsAsArrays<T> = T extends ReadonlySet<infer E> ? readonly E[] : T;
/** Sets and dates in their JSON form. */
type JsonForm<T> = T extends Date ? string : SetsAsArrays<T>;
type PlainRules = { [K in keyof ShowRules]: JsonForm<ShowRules[K]> };

/** The rules of a question that has none. The API of the previous release does not send those that are new. */
const NO_RULES: PlainRules = {
  filters: [],
  types: null,
  authors: null,
  excludedAuthors: [],
  publishedAfter: null,
  publishedBefore: null,
  maxAgeRating: null,
  excludedItems: [],
  excludedInterests: [],
};

/** Writes sets as lists beforehand: a replacer that JSON.stringify calls for each value takes twice as long. */
export function writeQuestion<Q extends { rules: ShowRules }>(question: Timed<Q>): string {
  return JSON.stringify({ ...question, rules: plainRules(question.rules) });
}

function plainRules(rules: ShowRules): { [K in keyof ShowRules]: SetsAsArrays<ShowRules[K]> } {
  return {
    ...rules,
    types: rules.types && [...rules.types],
    authors: rules.authors && [...rules.authors],
    excludedAuthors: [...rules.excludedAuthors],
    excludedItems: [...rules.excludedItems],
    excludedInterests: [...rules.excludedInterests],
  };
}

/** Parses a question. The sender is trusted to have written one of this kind. @throws {SyntaxError} for invalid JSON */
export function readQuestion<Q extends { rules: ShowRules }>(text: string): Timed<Q> {
  const question = JSON.parse(text) as Timed<Q> & { rules: Partial<PlainRules> };
  const rules = { ...NO_RULES, ...question.rules };
  return {
    ...question,
    rules: {
      ...rules,
      types: rules.types && new Set(rules.types),
      authors: rules.authors && new Set(rules.authors),
      excludedAuthors: new Set(rules.excludedAuthors),
      excludedItems: new Set(rules.excludedItems),
      excludedInterests: new Set(rules.excludedInterests),
      publishedAfter: rules.publishedAfter === null ? null : new Date(rules.publishedAfter),
      publishedBefore: rules.publishedBefore === null ? null : new Date(rules.publishedBefore),
    },
  };
}

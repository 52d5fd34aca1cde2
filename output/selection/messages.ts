/** What the API asks of the selection process, and what it answers: JSON over HTTP, within the installation. */
import type { Boost } from '../../domain/output/boosts.ts';
import type { Period } from '../../domain/output/popularity.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { ShowRules } from '../../domain/output/mayShow.ts';

export const RANK_PATH = '/rank';

/** What a request says of the order, which has to be known before anything is cut off. */
export interface Ordering {
  boosts: readonly Boost[];
  /** Items that come further down, each with the factor of its score. */
  lowered: readonly (readonly [id: string, factor: number])[];
  /** Of one author no more than this; the others come when they are asked for again. Null: as many as there are. */
  perAuthor: number | null;
  /** From 0 to 1 (domain/output/diversity.ts). */
  diversity: number;
  /** Items that come before the ranked ones, on this page or earlier. */
  before: readonly string[];
  /** Places that diversity arranges. */
  places: number;
}

/** By the ranking alone. */
export const PLAIN_ORDERING: Ordering = {
  boosts: [],
  lowered: [],
  perAuthor: null,
  diversity: 0,
  before: [],
  places: 0,
};

/** What every kind of question says. */
export interface Asked {
  projectId: string;
  rules: ShowRules;
  /** Items whose like is not wanted for a while. */
  suppressed: readonly string[];
  /** Items that are not to come although no rule forbids them: shown on earlier pages, seen, or judged already. */
  passedOver: readonly string[];
  ordering: Ordering;
  limit: number;
}

/** What is like one item. */
export interface SimilarQuestion extends Asked {
  kind: 'similar';
  item: string;
}

export interface WeightedItem {
  item: string;
  /** Below 0: unwanted. */
  weight: number;
}

/** An interest as it is compared (output/interests.ts), and as the person put it. */
export interface NamedInterest {
  key: string;
  value: string;
}

/** What a question knows of its person's taste; of somebody unknown nothing. */
export interface Taste {
  /** The one that was met last first. */
  items: readonly WeightedItem[];
  interests: readonly NamedInterest[];
  followedAuthors: readonly string[];
}

/** What is ranked by what people met together. */
interface LearnedQuestion extends Asked {
  /** The id of the model to rank by; null: the published one, which also ranks while another one cannot be had. */
  model: string | null;
}

/** What is ranked for a person. */
interface PersonalQuestion extends LearnedQuestion {
  taste: Taste;
  /** The share of the places from the third on that new items get, and what chance goes by. */
  exploration: number;
  seed: number;
  /** What scores are made of is told. */
  explain: boolean;
}

/** A city or country, as it is counted (dictionaries/regions.ts) and as it was put. */
export interface NamedRegion {
  key: string;
  value: string;
}

/** What a person should see. */
export interface FeedQuestion extends PersonalQuestion {
  kind: 'feed';
  /** Where somebody is who has met nothing yet; empty for others. */
  places: readonly NamedRegion[];
}

/** What to see after a session. */
export interface NextQuestion extends PersonalQuestion {
  kind: 'next';
  /** Oldest first. */
  session: readonly string[];
}

/** What is popular. */
export interface PopularQuestion extends Asked {
  kind: 'popular';
  period: Period;
  /** What rises comes first, not what has most. */
  trend: boolean;
  region: NamedRegion | null;
}

/** What goes with the items of a cart. */
export interface TogetherQuestion extends LearnedQuestion {
  kind: 'together';
  items: readonly string[];
}

/** Each kind has a ranker of its own (rank.ts). */
export type RankQuestion = SimilarQuestion | FeedQuestion | NextQuestion | PopularQuestion | TogetherQuestion;

/** A question as it travels. */
export type Timed<Q> = Q & {
  /** Milliseconds that the sender goes on waiting for. */
  msLeft: number;
};

export interface RankedItem {
  id: string;
  /** Comparable within one answer. */
  score: number;
  reason: Reason;
  /** What the score is made of, when the question asks for that. */
  parts?: Readonly<Record<string, number>>;
  /** What boosts and rotation have multiplied the score by; missing for 1. */
  factor?: number;
  /** Of a new item that is tried: the chance with which it came to its place. */
  propensity?: number;
}

export interface RankAnswer {
  /** Descending by score. */
  ranked: readonly RankedItem[];
  /** What ranked them. */
  model: string | null;
  mode: OutputMode;
  /** Nothing that the question allows comes after these. */
  isAll: boolean;
}

/** Sets and moments as JSON has them. */
type Plain<T> = T extends ReadonlySet<infer E> ? readonly E[] : T extends Date ? string : T;
type PlainRules = { [K in keyof ShowRules]: Plain<ShowRules[K]> };

export function writeQuestion(question: object): string {
  return JSON.stringify(question, (_key, value: unknown) => (value instanceof Set ? [...value] : value));
}

/** @throws {SyntaxError} for what is not JSON; the sender is trusted to have written a question of the kind */
export function readQuestion<Q extends { rules: ShowRules }>(text: string): Timed<Q> {
  const question = JSON.parse(text) as Timed<Q> & { rules: PlainRules };
  const { rules } = question;
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

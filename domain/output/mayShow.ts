/**
 * The rules for what may be shown to whom. No mode, page or pin can bypass them:
 * output/serve/candidates/allowedCandidates.ts applies them to every page.
 */
import type { ItemStatus, ItemType } from '../analysis/steps.ts';
import { passesFilter, type BoundFilter } from './propertyFilters.ts';

export const AGE_RATINGS = ['0+', '6+', '12+', '16+', '18+'] as const;
export type AgeRating = (typeof AGE_RATINGS)[number];

/** The fields of an item that the rules need. */
export interface ItemForRules {
  id: string;
  type: ItemType;
  author: string | null;
  publishedAt: Date;
  properties: Readonly<Record<string, unknown>> | null;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  ageRating: AgeRating | null;
  /** Keys of its topics and tags ({@link ShowRules.excludedInterests}). */
  interests: readonly string[];
}

/** Null means that the rule does not apply. */
export interface ShowRules {
  filters: readonly BoundFilter[];
  types: ReadonlySet<ItemType> | null;
  authors: ReadonlySet<string> | null;
  excludedAuthors: ReadonlySet<string>;
  /** Inclusive. */
  publishedAfter: Date | null;
  /** Exclusive. */
  publishedBefore: Date | null;
  maxAgeRating: AgeRating | null;
  /**
   * The request's own list, its subjects, the items that the person has hidden, and suppressed ones: those that the
   * person met lately in an event with suppress_similar_days (db/output/person/person.ts), and those that people keep
   * using together with them. Items with similar content are excluded separately, by similarity.ts.
   */
  excludedItems: ReadonlySet<string>;
  /** Keys of the topics and tags that the person does not want (output/interests.ts). */
  excludedInterests: ReadonlySet<string>;
}

/** The items of a project that a question allows. */
export interface AllowedItems {
  projectId: string;
  rules: ShowRules;
  /** Items that the person has rejected for a while; similar items are left out, too. */
  suppressed: readonly string[];
}

/**
 * Says of each status whether output may show such an item. A failed one has nothing to show; an unfinished one is
 * shown by what is known about it.
 */
export const IS_SHOWN: Readonly<Record<ItemStatus, boolean>> = {
  queued: true,
  processing: true,
  ready: true,
  partial: true,
  failed: false,
  deferred: true,
};

type Eligible = Pick<ItemForRules, 'available' | 'deleted' | 'status'>;

/**
 * The rules by name: each returns true when it lets an item through. {@link mayShow} calls them one by one and by name,
 * since selection calls it for every item of a catalogue, and a loop over the rules would cost several times as much.
 */
const RULES = {
  deleted: ({ deleted }: Eligible) => !deleted,
  unavailable: ({ available }: Eligible) => available,
  failed: ({ status }: Eligible) => IS_SHOWN[status],
  excluded_item: ({ id }, { excludedItems }) => !excludedItems.has(id),
  type: ({ type }, { types }) => types?.has(type) ?? true,
  author: ({ author }, { authors }) => authors === null || (author !== null && authors.has(author)),
  excluded_author: ({ author }, { excludedAuthors }) => author === null || !excludedAuthors.has(author),
  published_after: ({ publishedAt }, { publishedAfter }) => publishedAfter === null || publishedAt >= publishedAfter,
  published_before: ({ publishedAt }, { publishedBefore }) => publishedBefore === null || publishedAt < publishedBefore,
  age_rating: ({ ageRating }, { maxAgeRating }) => isForAge(ageRating, maxAgeRating),
  interest: ({ interests }, { excludedInterests }) => !interests.some((interest) => excludedInterests.has(interest)),
  filter: ({ properties }, { filters }) => filters.every((filter) => passesFilter(filter, properties)),
} as const satisfies Record<string, (item: ItemForRules, rules: ShowRules) => boolean>;

export type ShowRule = keyof typeof RULES;
export const SHOW_RULES = Object.keys(RULES) as readonly ShowRule[];

/** Returns true when an item may be shown to anybody. */
export function isEligible(item: Eligible): boolean {
  return RULES.unavailable(item) && RULES.deleted(item) && RULES.failed(item);
}

/** Returns true when the rules of a request allow an item. */
export function mayShow(item: ItemForRules, rules: ShowRules): boolean {
  return (
    isEligible(item) &&
    RULES.excluded_item(item, rules) &&
    RULES.type(item, rules) &&
    RULES.author(item, rules) &&
    RULES.excluded_author(item, rules) &&
    RULES.published_after(item, rules) &&
    RULES.published_before(item, rules) &&
    RULES.age_rating(item, rules) &&
    RULES.interest(item, rules) &&
    RULES.filter(item, rules)
  );
}

/** Returns the rules that exclude an item; none when {@link mayShow} returns true. */
export function brokenRules(item: ItemForRules, rules: ShowRules): ShowRule[] {
  return SHOW_RULES.filter((name) => !RULES[name](item, rules));
}

/** An unknown rating may be any rating. */
function isForAge(rating: AgeRating | null, max: AgeRating | null): boolean {
  if (max === null) return true;
  return rating !== null && AGE_RATINGS.indexOf(rating) <= AGE_RATINGS.indexOf(max);
}

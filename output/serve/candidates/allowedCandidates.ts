/** Filters candidates, by rank, to those that may be shown, judged by the tables as they are now. */
import type pg from 'pg';
import { readCandidateItems, type CandidateItem, type CandidateParts } from '../../../db/output/candidateItems.ts';
import type { Reason } from '../../../domain/output/reasons.ts';
import { mayShow, type AllowedItems, type ItemForRules, type ShowRules } from '../../../domain/output/mayShow.ts';
import { itemForRules } from '../../itemForRules.ts';
import type { AnswerField } from '../request/answerFields.ts';
import { suppression } from './suppressSimilar.ts';

export interface Candidate {
  id: string;
  score: number;
  reason: Reason;
  /** The parts of the score, when they were requested. */
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

/** Returns true for a new item that is tried, including one that a selection process of the previous release sent. */
export function isOnTrial({ isTrial, propensity }: Pick<Candidate, 'isTrial' | 'propensity'>): boolean {
  return isTrial ?? propensity !== undefined;
}

/** A candidate that may be shown, with its current item. */
export interface Finalist extends Candidate {
  item: CandidateItem;
}

/**
 * Returns the candidates that the rules allow, without those that the person has met if these are excluded, in order.
 * @throws when the database does not answer: no rule can be checked without it
 */
export type KeepAllowed = (candidates: readonly Candidate[]) => Promise<Finalist[]>;

export interface CandidateCheckOptions extends AllowedItems {
  pool: pg.Pool;
  /** Identities of a person whose met items are excluded; empty when none are. */
  excludeSeenBy: readonly string[];
  /** Fields of the items that the answer contains; they are read together with them. */
  fields: readonly AnswerField[];
  /** Further parts of the items that are needed after the check. */
  also?: readonly (keyof CandidateParts)[];
}

/** Returns the check of candidates of one request. */
export function createCandidateCheck({
  pool,
  projectId,
  rules,
  suppressed,
  excludeSeenBy,
  fields,
  also = [],
}: CandidateCheckOptions): KeepAllowed {
  const parts = partsOf(rules, new Set(fields), new Set(also));
  const nearSuppressed = suppression({ pool, projectId, suppressed });
  return async (candidates) => {
    if (candidates.length === 0) return [];
    const ids = candidates.map(({ id }) => id);
    const items = await readCandidateItems(pool, projectId, { ids, excludeSeenBy: excludeSeenBy, parts });
    const allowed = candidates.flatMap((candidate) => {
      const item = items.get(candidate.id);
      return item && mayShow(candidateForRules(rules, item), rules) ? [{ ...candidate, item }] : [];
    });
    const near = await nearSuppressed(allowed.map(({ id }) => id));
    return near.size === 0 ? allowed : allowed.filter(({ id }) => !near.has(id));
  };
}

/** Returns the parts of each candidate that the rules and the answer need. */
export function partsOf(
  { filters, maxAgeRating, excludedInterests }: ShowRules,
  fields: ReadonlySet<AnswerField>,
  also: ReadonlySet<keyof CandidateParts>,
): CandidateParts {
  const isAnalysisChecked = maxAgeRating !== null || excludedInterests.size > 0;
  return {
    properties: filters.length > 0 || fields.has('properties') || also.has('properties'),
    analysis: isAnalysisChecked || fields.has('summary') || fields.has('tags') || also.has('analysis'),
    heading: fields.has('title') || fields.has('url'),
    picture: fields.has('image_url'),
  };
}

/** Computes an item's interests only where some are excluded: stemming its tags takes the most time. */
export function candidateForRules({ excludedInterests }: ShowRules, item: CandidateItem): ItemForRules {
  return excludedInterests.size > 0 ? itemForRules(item) : { ...item, interests: [] };
}

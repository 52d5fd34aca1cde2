/** What the API asks of the selection process, and what it answers: JSON over HTTP, within the installation. */
import type { ShowRules } from '../../domain/output/rules.ts';

export const RANK_PATH = '/rank';

export interface RankQuestion {
  projectId: string;
  /** Items that the answer is to be like. */
  subjects: readonly string[];
  rules: ShowRules;
  /** Items whose like is not wanted for a while. */
  suppressed: readonly string[];
  /** Items that are not to come although no rule forbids them: shown on earlier pages, seen. */
  passedOver: readonly string[];
  limit: number;
}

export interface RankedItem {
  id: string;
  /** Comparable within one answer. */
  score: number;
  /** The subject that it is nearest to. */
  because: string;
}

export interface RankAnswer {
  /** Descending by score. */
  ranked: readonly RankedItem[];
  /** What ranked them. */
  model: string | null;
}

/** Sets and moments as JSON has them. */
type Plain<T> = T extends ReadonlySet<infer E> ? readonly E[] : T extends Date ? string : T;
type PlainRules = { [K in keyof ShowRules]: Plain<ShowRules[K]> };

export function writeQuestion({ rules, ...question }: RankQuestion): string {
  return JSON.stringify({ ...question, rules }, (_key, value: unknown) => (value instanceof Set ? [...value] : value));
}

/** @throws {SyntaxError} for what is not JSON; the sender is trusted to have written a question */
export function readQuestion(text: string): RankQuestion {
  const { rules, ...question } = JSON.parse(text) as Omit<RankQuestion, 'rules'> & { rules: PlainRules };
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

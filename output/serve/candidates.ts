/** From what might be shown to what may: candidates by rank, judged by the tables as they are now. */
import type pg from 'pg';
import { readCandidateItems, type CandidateItem } from '../../db/output/candidateItems.ts';
import { readItemVectors } from '../../db/output/itemVectors.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import { mayShow, type JudgedItem, type ShowRules } from '../../domain/output/mayShow.ts';
import { isSuppressed } from '../../domain/output/similarity.ts';
import type { PlacedItem } from '../../domain/output/vectors.ts';
import { judgedItem } from '../judgedItem.ts';

export interface Candidate {
  id: string;
  score: number;
  reason: Reason;
  /** What the score is made of, where that was asked for. */
  parts?: Readonly<Record<string, number>>;
  /** What boosts and rotation have made of the score; missing for 1. */
  factor?: number;
  /** Of a new item that is tried. */
  propensity?: number;
}

/** A candidate that may be shown, with its item as it is. */
export interface Finalist extends Candidate {
  item: CandidateItem;
}

/**
 * Those of the candidates that the rules allow and the person has not met, where that is not to come; in their order.
 * @throws when the database does not answer: without it no rule can be checked
 */
export type Judge = (candidates: readonly Candidate[]) => Promise<Finalist[]>;

export interface Judging {
  pool: pg.Pool;
  projectId: string;
  rules: ShowRules;
  /** Items whose like is not wanted for a while. */
  suppressed: readonly string[];
  /** Identities of a person whose items are not to come again; empty: any may come. */
  unmetBy: readonly string[];
  /** Whether what an answer tells of its items is read with them. */
  isTold: boolean;
}

/** The judge of one request. */
export function createJudge({ pool, projectId, rules, suppressed, unmetBy, isTold }: Judging): Judge {
  /** Read once, and only when there is something to compare. */
  let shunned: Promise<PlacedItem[]> | undefined;
  const readShunned = async (): Promise<PlacedItem[]> => [
    ...(await readItemVectors(pool, projectId, suppressed)).values(),
  ];

  const withoutSuppressed = async (finalists: readonly Finalist[]): Promise<readonly Finalist[]> => {
    if (suppressed.length === 0 || finalists.length === 0) return finalists;
    const ids = finalists.map(({ id }) => id);
    const [near, places] = await Promise.all([(shunned ??= readShunned()), readItemVectors(pool, projectId, ids)]);
    return finalists.filter(({ id }) => {
      const placed = places.get(id);
      return !placed || !isSuppressed(placed, near);
    });
  };

  return async (candidates) => {
    if (candidates.length === 0) return [];
    const ids = candidates.map(({ id }) => id);
    const items = await readCandidateItems(pool, projectId, { ids, unmetBy, isTold });
    const allowed = candidates.flatMap((candidate) => {
      const item = items.get(candidate.id);
      return item && mayShow(judgedBy(rules, item), rules) ? [{ ...candidate, item }] : [];
    });
    return [...(await withoutSuppressed(allowed))];
  };
}

/** What an item is about is only asked where something is not wanted: to find the stems of its tags takes the most time. */
function judgedBy({ excludedInterests }: ShowRules, item: CandidateItem): JudgedItem {
  return excludedInterests.size > 0 ? judgedItem(item) : { ...item, interests: [] };
}

/** From what might be shown to what may: candidates by rank, judged by the tables as they are now. */
import type pg from 'pg';
import { readCatalogueItems, type CatalogueItem } from '../../db/output/catalogue.ts';
import { readItemVectors } from '../../db/output/itemVectors.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import { mayShow, type ShowRules } from '../../domain/output/rules.ts';
import { isSuppressed } from '../../domain/output/similarity.ts';
import type { PlacedItem } from '../../domain/output/vectors.ts';
import { judgedItem } from '../judged.ts';

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
  item: CatalogueItem;
}

/**
 * Those of the candidates that the rules allow, in their order.
 * @throws when the database does not answer: without it no rule can be checked
 */
export type Judge = (candidates: readonly Candidate[]) => Promise<Finalist[]>;

export interface Judging {
  pool: pg.Pool;
  projectId: string;
  rules: ShowRules;
  /** Items whose like is not wanted for a while. */
  suppressed: readonly string[];
}

/** The judge of one request. */
export function createJudge({ pool, projectId, rules, suppressed }: Judging): Judge {
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
    const items = await readCatalogueItems(
      pool,
      projectId,
      candidates.map(({ id }) => id),
    );
    const allowed = candidates.flatMap((candidate) => {
      const item = items.get(candidate.id);
      return item && mayShow(judgedItem(item), rules) ? [{ ...candidate, item }] : [];
    });
    return [...(await withoutSuppressed(allowed))];
  };
}

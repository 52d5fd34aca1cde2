/** Applies the request's boosts and the person's rotation to a list that was not ranked for the request. */
import { readItemProperties } from '../../../db/output/itemProperties.ts';
import type { Queryable } from '../../../db/pool.ts';
import { boostOf, scaled, type Boost } from '../../../domain/output/boosts.ts';
import type { Candidate } from './allowedCandidates.ts';
import type { Lowered } from './rotation.ts';
import { SCORE_DIGITS } from '../../scoreDigits.ts';

export interface Reordering {
  projectId: string;
  boosts: readonly Boost[];
  lowered: Lowered;
}

/** @throws when the database does not answer */
export async function reorderByBoostsAndRotation(
  pool: Queryable,
  candidates: readonly Candidate[],
  { projectId, boosts, lowered }: Reordering,
): Promise<readonly Candidate[]> {
  if (boosts.length === 0 && lowered.length === 0) return candidates;
  const ids = candidates.map(({ id }) => id);
  const properties = boosts.length > 0 ? await readItemProperties(pool, projectId, ids) : null;
  const factors = new Map(lowered);
  return candidates
    .map((candidate) => {
      const boost = boostOf(boosts, properties?.get(candidate.id) ?? null);
      const factor = boost * (factors.get(candidate.id) ?? 1);
      const score = Number(scaled(candidate.score, factor).toFixed(SCORE_DIGITS));
      return { ...candidate, score, ...(factor !== 1 && { factor }) };
    })
    .toSorted((a, b) => b.score - a.score);
}

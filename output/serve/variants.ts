/** Which variant of a surface's experiment a request is answered by. */
import type pg from 'pg';
import { readPersonKey } from '../../db/output/personKey.ts';
import type { Identifier } from '../../domain/identity.ts';
import { assignVariant } from '../../domain/output/assignVariant.ts';
import { readRecommendationId, type RecommendationFacts } from '../../domain/output/recommendationId.ts';
import { isRunning, type Experiment, type Settings } from '../../domain/output/surfaces.ts';
import type { PagePlace } from './cursors.ts';

export interface Assigned {
  /** As ids of answers tell it. */
  variant: RecommendationFacts['variant'];
  /** What the variant says for its requests; empty without one. */
  settings: Settings;
}

const NOBODYS: Assigned = { variant: null, settings: {} };

export interface Asking {
  projectId: string;
  /** The one that decides first; empty for nobody. */
  identifiers: readonly Identifier[];
  /** Set for a page after the first. */
  place: PagePlace | null;
}

/**
 * A page after the first stays in the variant that its answer's id tells, even where the experiment is over by then; what
 * the variant says is taken from the surface as it is now.
 */
export async function assignedVariant(
  pool: pg.Pool,
  experiment: Experiment | null,
  { projectId, identifiers, place }: Asking,
): Promise<Assigned> {
  if (place !== null) return variantOf(experiment, readRecommendationId(place.recommendationId)?.variant ?? null);
  if (!experiment || !isRunning(experiment, new Date())) return NOBODYS;
  const { id, variants } = experiment;
  const index = assignVariant(id, await readPersonKey(pool, projectId, identifiers), variants);
  return variantOf(experiment, { experiment: id, index });
}

function variantOf(experiment: Experiment | null, variant: RecommendationFacts['variant']): Assigned {
  const isOfIt = experiment !== null && experiment.id === variant?.experiment;
  return { variant, settings: isOfIt ? (experiment.variants[variant?.index ?? -1]?.settings ?? {}) : {} };
}

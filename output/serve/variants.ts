/** Assigns a request to a variant of its surface's experiment. */
import type pg from 'pg';
import { readPersonKey } from '../../db/output/person/personKey.ts';
import type { Identifier } from '../../domain/people/identity.ts';
import { assignVariant } from '../../domain/experiments/assignVariant.ts';
import { readRecommendationId, type RecommendationFacts } from '../../domain/output/recommendationId.ts';
import { isRunning, type Experiment, type Settings } from '../../domain/output/surfaces.ts';
import type { PagePlace } from './cursors.ts';

export interface Assigned {
  /** In the form used in ids of answers. */
  variant: RecommendationFacts['variant'];
  /** Settings of the variant for its requests; empty without one. */
  settings: Settings;
}

const NOBODYS: Assigned = { variant: null, settings: {} };

export interface Asking {
  projectId: string;
  /** The deciding identifier first; empty for an anonymous request. */
  identifiers: readonly Identifier[];
  /** Set for a page after the first. */
  place: PagePlace | null;
}

/**
 * Assigns the variant. A page after the first stays in the variant of its answer's id, even when the experiment has
 * ended; the variant's settings are those of the current surface.
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

/** Assigns a request to a variant of its surface's experiment. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { readPersonKey } from '../../../db/output/person/personKey.ts';
import type { OutputSnapshot } from '../../../db/output/snapshots.ts';
import type { Identifier } from '../../../domain/people/identity.ts';
import { assignVariant } from '../../../domain/experiments/assignVariant.ts';
import { lotOf } from '../../../domain/experiments/samplePeople.ts';
import { readRecommendationId, type RecommendationFacts } from '../../../domain/output/recommendationId.ts';
import { isRunning, type ReadExperiment, type Settings } from '../../../domain/output/surfaces.ts';
import type { PagePosition } from './cursors.ts';

export interface Assignment {
  /** In the form used in ids of answers. */
  variant: RecommendationFacts['variant'];
  /** The lot by which the person is sampled; null outside an experiment, and on a page after the first. */
  lot: OutputSnapshot['lot'];
  /** Settings of the variant for its requests; empty without one. */
  settings: Settings;
}

const NO_ASSIGNMENT: Assignment = { variant: null, lot: null, settings: {} };

export interface AssignmentInput {
  projectId: string;
  /** The deciding identifier first; empty for an anonymous request. */
  identifiers: readonly Identifier[];
  /** Set for a page after the first. */
  position: PagePosition | null;
}

/**
 * Assigns the variant. A page after the first stays in the variant of its answer's id, even when the experiment has
 * ended; the variant's settings are those of the current surface, and none once the experiment has ended.
 */
export async function assignedVariant(
  pool: pg.Pool,
  experiment: ReadExperiment | null,
  { projectId, identifiers, position }: AssignmentInput,
): Promise<Assignment> {
  const running = experiment && isRunning(experiment, new Date()) ? experiment : null;
  if (position !== null) {
    const variant = readRecommendationId(position.recommendationId)?.variant ?? null;
    return { variant, lot: null, settings: settingsOf(running, variant) };
  }
  if (running === null) return NO_ASSIGNMENT;
  const { id, variants, changedAt } = running;
  // A request without a person counts as a person of its own.
  const key = (await readPersonKey(pool, projectId, identifiers)) ?? randomUUID();
  const variant = { experiment: id, index: assignVariant(id, key, variants) };
  return { variant, lot: { since: changedAt, ...lotOf(id, key) }, settings: settingsOf(running, variant) };
}

function settingsOf(experiment: ReadExperiment | null, variant: RecommendationFacts['variant']): Settings {
  if (experiment === null || experiment.id !== variant?.experiment) return {};
  return experiment.variants[variant.index]?.settings ?? {};
}

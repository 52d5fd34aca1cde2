/**
 * The analysis of a short text, which is read without a lock and stored in one transaction, together with what the plan
 * would have settled and counted (docs/decisions/quick-steps.md).
 */
import type pg from 'pg';
import { withoutMeasurements } from '../../domain/analysis/measuredFrames.ts';
import { stepsAtOnce } from '../../domain/analysis/plan.ts';
import {
  ITEM_STEPS,
  STEP_TABLE,
  withAllSteps,
  type ItemStep,
  type Step,
  type StepRecords,
} from '../../domain/analysis/steps.ts';
import { monthOf } from '../../domain/analysis/volume.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import type { Queryable } from '../pool.ts';
import { selectEvidence, type Evidence } from './evidence.ts';
import { recordCosts, type CallCost } from './usage.ts';
import { IS_SHORT_TEXT } from './results/shortTextSize.ts';
import { settleText } from './plan.ts';
import { completeSteps, type StepEnd } from './steps.ts';
import { CAN_USE_TEXT_UNITS, consumeTextUnits } from './volume.ts';

export interface ShortText {
  evidence: Evidence;
  /** The steps that are left, in their order, at the revisions that belong to the evidence. */
  left: readonly { step: ItemStep; revision: number }[];
}

/**
 * Reads a short text that has only quick steps left and for which there is enough analysis volume.
 * @param now decides the month whose volume is used; the database's clock by default
 * @returns null for any other item
 */
export async function readShortText(
  pool: Queryable,
  ref: ItemRef,
  { quickSteps, now }: { quickSteps: readonly Step[]; now?: Date },
): Promise<ShortText | null> {
  const { rows } = await pool.query<Evidence & { steps: Partial<StepRecords> }>({
    name: 'evidence-short-text',
    text: selectEvidence(', i.steps', `${IS_SHORT_TEXT} and ${CAN_USE_TEXT_UNITS}`),
    values: [ref.projectId, ref.itemId, now ?? null],
  });
  const [row] = rows;
  if (!row) return null;
  const { steps: stored, ...evidence } = row;
  const steps = settleText({ steps: withAllSteps(stored) });
  const left = new Set(stepsAtOnce(steps, quickSteps));
  if (left.size === 0) return null;
  return {
    evidence: withoutMeasurements(evidence),
    left: ITEM_STEPS.filter((step) => left.has(step)).map((step) => ({ step, revision: steps[step].revision })),
  };
}

/**
 * Ends the remaining steps of a short text, and records what their calls cost. Its analysis volume counts as used
 * without having been reserved.
 * @param now decides the month whose volume is used; the database's clock by default
 * @returns the item's steps afterwards; null when a result was outdated or there was too little analysis volume, and
 * nothing was stored
 */
export async function completeShortText(
  pool: pg.Pool,
  ref: ItemRef,
  ends: readonly StepEnd[],
  { costs, now }: { costs: readonly CallCost[]; now?: Date },
): Promise<StepRecords | null> {
  const counted = ends.filter(
    ({ work, outcome }) => outcome.state === 'done' && STEP_TABLE[work.step].counts === 'text',
  );
  const analysed = new Set(counted.map(({ work }) => work.revision));
  try {
    return await completeSteps(pool, ends, {
      settle: settleText,
      alsoWrite: (client) => recordCosts(client, ref, costs),
      // The last statement, so that other items wait for the month's row only until the commit.
      async count(client, item) {
        const isCounted =
          analysed.size === 0 || (await consumeTextUnits(client, ref, analysed.size, monthOf(now ?? item.now)));
        if (!isCounted) throw new InsufficientVolumeError();
      },
    });
  } catch (error) {
    if (error instanceof InsufficientVolumeError) return null;
    throw error;
  }
}

/** Undoes the transaction. */
class InsufficientVolumeError extends Error {}
